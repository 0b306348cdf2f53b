"""What `runoff inspect` and `runoff check` say of treebanks."""

from __future__ import annotations

from itertools import islice

LABELS_SHOWN = 24


def inspect_treebank(file: str, draw: int, *, json: bool) -> None:
    """Print the counts of a treebank, and draw its first trees."""
    from runoff.cli.show import counting, print_json, table
    from runoff.cli.terminal import Terminal
    from runoff.data.tree import read_trees
    from runoff.data.treebank.draw import draw_rich
    from runoff.data.treebank.inspect import inspect_trees

    with counting("trees read") as count:
        found = inspect_trees(count(read_trees(file)))
    if json:
        print_json({"file": file, **vars(found)})
        return
    rows = [
        ["trees", f"{found.trees:,}"],
        ["without words", f"{found.trees - found.kept:,}"],
        ["changed by cleaning", f"{found.cleaned:,}"],
        ["words", f"{found.words:,}, {found.vocabulary:,} different"],
        ["words per tree", f"{found.words / max(found.kept, 1):.1f}, at most {found.longest}"],
        ["deepest tree", f"{found.deepest} nodes above a word"],
    ]
    table(file, ["what", "value"], rows)
    for title, counts in (("labels", found.labels), ("parts of speech", found.tags)):
        most = list(counts.items())[:LABELS_SHOWN]
        table(f"{title}: {len(counts)}", ["label", "nodes"], [[*one] for one in most])
    if found.remarks:
        table("what cleaning sees", ["what", "number"], [[*one] for one in found.remarks.items()])
    terminal = Terminal(soft_wrap=True)
    for tree in islice(read_trees(file), draw):
        width = terminal.width if terminal.is_terminal else None
        terminal.print(draw_rich(tree, width), end="\n\n")


def check_treebank(file: str, clean: str | None, *, json: bool) -> bool:
    """Print what is broken or odd in a treebank, and write it cleaned; whether none is broken."""
    from runoff.cli.show import count_of, counting, print_json, print_line
    from runoff.data.tree import read_trees
    from runoff.data.treebank.inspect import inspect_trees
    from runoff.errors import FormatError

    problem = None
    try:
        with counting("trees checked") as count:
            found = inspect_trees(count(read_trees(file)))
    except FormatError as error:
        problem, found = error, inspect_trees(())
    if json:
        print_json({"file": file, "problem": problem and str(problem), **vars(found)})
    elif problem is not None:
        print_line(str(problem), "red")
    else:
        for remark, number in found.remarks.items():
            print_line(f"{file}: {remark} ({number:,})")
        sizes = f"{count_of(found.trees, 'tree')}, {count_of(found.words, 'word')}"
        print_line(f"{sizes}, {found.cleaned:,} changed by cleaning", "green")
    if problem is None and clean is not None:
        from runoff.data.tree import write_trees
        from runoff.data.treebank.clean import read_treebank

        write_trees(read_treebank(file), clean)
    return problem is None
