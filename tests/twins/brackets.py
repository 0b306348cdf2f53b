"""The native bracket scanner, slow and obvious: the whole text at once, nested lists, recursion."""

import re

SPACES = b" \t\n\r\v\f"
TOKEN = re.compile(rb"[()]|[^() \t\n\r\v\f]+")


class TwinError(Exception):
    """What is wrong with the text, and in which line."""

    def __init__(self, message, line):
        super().__init__(message)
        self.message, self.line = message, line


def scan(text):
    """The columns (labels, ends, starts, stops, words) of every tree."""
    trees, at = [], 0
    while at < len(text):
        if text[at] in SPACES:
            at += 1
        elif text[at] in b"#%;*":
            newline = text.find(b"\n", at)
            at = len(text) if newline < 0 else newline
        elif text[at] in b"(":
            node, at = _read_tree(text, at)
            trees.append(_columns(node))
        elif text[at] in b")":
            raise TwinError("closing bracket without an opening one", _line(text, at))
        else:
            raise TwinError("text outside of brackets", _line(text, at))
    return trees


def _read_tree(text, start):
    """The tree that opens at `start` as [label, child, ...], and where it ends."""
    open_nodes = []
    for token in TOKEN.finditer(text, start):
        if token[0] == b"(":
            open_nodes.append([None])
        elif token[0] == b")":
            node = open_nodes.pop()
            if not open_nodes:
                return node, token.end()
            open_nodes[-1].append(node)
        elif token.end() < len(text):
            _add(open_nodes[-1], _decode(token[0], _line(text, token.start())))
    brackets = "1 bracket" if len(open_nodes) == 1 else f"{len(open_nodes)} brackets"
    raise TwinError(f"the tree that starts here leaves {brackets} open", _line(text, start))


def _add(node, token):
    if node == [None]:
        node[0] = token
    else:
        node.append(token.replace("-LRB-", "(").replace("-RRB-", ")"))


def _decode(token, line):
    try:
        return token.decode()
    except UnicodeDecodeError:
        raise TwinError("bytes that are not UTF-8", line) from None


def _line(text, at):
    return 1 + text.count(b"\n", 0, at)


def _columns(root):
    labels, ends, starts, stops, words = [], [], [], [], []

    def visit(node):
        number = len(labels)
        labels.append(node[0] or "")
        ends.append(None)
        starts.append(len(words))
        stops.append(None)
        for child in node[1:]:
            if isinstance(child, str):
                words.append(child)
            else:
                visit(child)
        ends[number], stops[number] = len(labels), len(words)

    visit(root)
    return tuple(map(tuple, (labels, ends, starts, stops, words)))
