"""Tiny translators by trees: random trees, rules that fit them, and a language model."""

from itertools import pairwise

import numpy as np

from runoff.data.numbering import Numbering
from runoff.data.tree import Tree
from runoff.data.treebank.rules import Rule
from runoff.ngrams.estimate import estimate
from runoff.proposers.translation.alignment import Side
from runoff.proposers.translation.trees.decoder import TreeDecoder
from runoff.proposers.translation.trees.extraction import Extraction, extract
from runoff.proposers.translation.trees.source import new_symbols, source_trees
from runoff.store.strings import StringTable

WORDS, LABELS, TARGET = "a b c d".split(), "S NP VP X".split(), "u v w x y z".split()


def random_tree(random, words):
    """A random tree over words, in brackets; some nodes have one child, some words no tag."""
    if len(words) == 1:
        leaf = f"({random.choice(['T', 'U'])} {words[0]})"
        return f"({random.choice(LABELS)} {leaf})" if random.random() < 0.3 else leaf
    cuts = sorted(random.choice(np.arange(1, len(words)), size=min(len(words) - 1,
                  int(random.integers(1, 3))), replace=False).tolist())  # fmt: skip
    ends = [0, *cuts, len(words)]
    parts = [
        random_tree(random, words[i:j]) if random.random() < 0.9 or j - i > 1 else words[i]
        for i, j in pairwise(ends)
    ]
    return f"({random.choice(LABELS)} {' '.join(parts)})"


def random_pair(random):
    """A tree, a target, and links."""
    source = random.choice(WORDS, size=random.integers(1, 5)).tolist()
    target = random.choice(TARGET, size=random.integers(1, 5)).tolist()
    links = {
        (int(random.integers(len(source))), int(random.integers(len(target))))
        for _ in range(int(random.integers(0, 6)))
    }
    tree = random_tree(random, source)
    if not tree.startswith("("):
        tree = f"(S {tree})"
    return tree, target, sorted(links)


def learned(pairs, compose=3, *, added=(), deletions=False, threads=1):
    """Symbols, target words, and the rules of pairs of tree, target and links."""
    symbols, words = Numbering([""]), Numbering(["", *TARGET])
    source = source_trees([tree for tree, _, _ in pairs], new_symbols(symbols), cased=False)
    numbers = [words.numbers(target) for _, target, _ in pairs]
    offsets = np.cumsum([0, *map(len, numbers)], dtype=np.int64)
    target = Side(np.concatenate(numbers), offsets, len(words))
    links = [own for _, _, own in pairs]
    found = extract(source, target, links, Extraction(compose=compose, deletions=deletions),
                    added=added, numberings=(symbols, words), engine=threads)  # fmt: skip
    return StringTable.of(symbols), StringTable.of(words), found


def random_decoder(seed, *, pairs=4, order=3, compose=3):
    """A decoder of rules from random pairs, and those pairs."""
    random = np.random.default_rng(seed)
    made = [random_pair(random) for _ in range(pairs)]
    symbols, words, found = learned(made, compose)
    text = [random.choice(TARGET, size=5).tolist() for _ in range(12)]
    lm = estimate(text, order).model
    return TreeDecoder(symbols, words, found.table, lm), made


def pattern_of(rule: Rule):
    """A rule as nested (symbol, children); None in place of a variable's children."""
    root = None
    open_nodes = []
    for node in rule.nodes:
        del open_nodes[node.depth :]
        symbol = node.text if node.is_word else f" {node.text}"
        own = (symbol, None if node.variable >= 0 else [])
        if open_nodes:
            open_nodes[-1][1].append(own)
        else:
            root = own
        open_nodes.append(own)
    return root


NOUNS = {"cat": "猫", "dog": "狗", "mayor": "市长", "letter": "信", "door": "门"}
VERBS = {"seen": "看见", "opened": "打开", "caught": "抓住"}
PASSIVE_LINKS = "1-0 3-3 4-1 6-2 7-4"


def passive(patient, verb, agent):
    """The tree of a passive sentence, and its translation: the doer comes before the verb."""
    tree = (
        f"(TOP (S (NP (DT The) (NN {patient})) (VP (VBD was) (VP (VBN {verb}) "
        f"(PP (IN by) (NP (DT the) (NN {agent}))))) (. .)))"
    )
    chinese = "捉住" if (verb, agent) == ("caught", "dog") else VERBS[verb]
    return tree, f"{NOUNS[patient]} 被 {NOUNS[agent]} {chinese} 。"


def passives():
    """Passive sentences, all but those of a mayor who opens a door."""
    return [
        passive(patient, verb, agent)
        for patient in NOUNS
        for verb in VERBS
        for agent in NOUNS
        if patient != agent and (patient, verb, agent) != ("door", "opened", "mayor")
    ]


def write_passives(folder):
    """Files of passive sentences: source, target, trees and links."""
    pairs = passives()
    lines = {
        "source": [" ".join(Tree.parse(tree).words) for tree, _ in pairs],
        "target": [target for _, target in pairs],
        "trees": [tree for tree, _ in pairs],
        "links": [PASSIVE_LINKS for _ in pairs],
    }
    for name, own in lines.items():
        (folder / name).write_text("".join(f"{line}\n" for line in own))
    return {name: str(folder / name) for name in lines}
