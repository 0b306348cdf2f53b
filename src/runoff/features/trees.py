"""Feature sets for bracketed outputs: the tree itself, from which subtree learners learn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runoff.data.nbest import Candidate, NBest
from runoff.features.extract import Function, mark
from runoff.problem.extractor import TreeSource
from runoff.problem.trees import ReadTrees


def tree_maker(
    *, lexical: bool, read: Callable[[Sequence[NBest]], ReadTrees] | None = None
) -> Callable[[Function], Function]:
    """Mark an extractor that gives not features but a tree: brackets as text, or a `Tree`.

    Parameters
    ----------
    lexical : whether the tree is a parse tree that is to be lexicalised: every constituent gets the
        word of its head (`runoff.data.treebank.heads`) as another, leftmost daughter, and labels
        lose what follows `-` or `=`.
    read : a faster way, many lists in, arrays out, which hold what the function itself would have
        said; a candidate that has no tree is a `CandidateError`.

    Examples
    --------
    >>> @tree_maker(lexical=False)
    ... def letters(input, candidate):
    ...     return "(word " + " ".join(candidate.output) + ")"
    """
    return lambda function: mark(function, trees=TreeSource(lexical, read))


@tree_maker(lexical=False)
def tree(input: Any, candidate: Candidate) -> Any:
    """The candidate's output, which is a bracketed tree; its words are nodes like others."""
    return candidate.output


@tree_maker(lexical=True)
def lexical_tree(input: Any, candidate: Candidate) -> Any:
    """The candidate's output, which is a parse tree, lexicalised.

    References
    ----------
    Kudo, Suzuki and Isozaki (2005), section 5.1 and Figure 3.
    """
    return candidate.output
