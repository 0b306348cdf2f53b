"""`runoff demo`: see it work."""

from __future__ import annotations

from typing import Annotated

import typer

from runoff.cli.options import Json


def command(
    what: Annotated[
        str,
        typer.Argument(
            help="Name of the demo: lists reranks n-best lists, identity resolves records, "
            "translation translates captions.",
            metavar="[WHAT]",
        ),
    ] = "lists",
    write: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="Write the lists, records or captions to this folder, and do nothing else.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Fit a ranker to the lists that come with Runoff, rerank others, and say why.

    The lists are those of an imaginary speech recogniser: sentences of ours, with words confused
    that sound alike. `runoff demo identity` resolves records of books, `runoff demo translation`
    trains a translator of captions; these are ours, too.
    """
    from runoff.errors import unknown_choice

    demos = {"lists": _lists, "identity": _identity, "translation": _translation}
    if what not in demos:
        raise unknown_choice("demo", what, demos)
    demos[what](write, json=json)


def _translation(write: str | None, *, json: bool) -> None:
    from runoff.cli.show import print_json, print_line, table
    from runoff.cli.text.translate import print_translation
    from runoff.tasks.translation.demo import TRAINED, demo, write_demo_captions

    if write is not None:
        write_demo_captions(write)
        return
    result = demo()
    if json:
        print_json({"BLEU": result.bleu, "translated": result.translated})
        return
    sizes = f"{TRAINED} captions learned from, {len(result.translated)} others translated"
    print_line(f"{sizes}: BLEU {result.bleu:.1f}\n", "bold")
    rows = [[english, german] for english, _, german in result.translated[:8]]
    table(None, ["English", "translation"], rows)
    print_line("\nWhere the words of the first come from\n", "bold")
    print_translation(result.reasons, draw=True)
    print_translation(result.reasons, draw=False)


def _identity(write: str | None, *, json: bool) -> None:
    from runoff.cli.show import print_json, print_line
    from runoff.cli.text.resolve import print_reasons
    from runoff.tasks.identity.demo import demo, write_demo_records

    if write is not None:
        write_demo_records(write)
        return
    result = demo()
    if json:
        print_json({"clusters": result.resolution.clusters, **result.scores})
        return
    figures = f"pair F1 {result.scores['pair-f1']:.3f}, B-cubed {result.scores['b-cubed']:.3f}"
    print_line(f"{result.resolution!r}: {figures}", "bold")
    titles = result.resolution.records.column("title")
    by_id = dict(zip(result.resolution.records.ids, titles, strict=True))
    for cluster in result.resolution:
        print_line("  " + " | ".join(f"{one} {by_id[one]}" for one in cluster))
    print_reasons(result.reasons, top=6)


def _lists(write: str | None, *, json: bool) -> None:
    from runoff.cli.lists.evaluate import print_evaluation
    from runoff.cli.lists.why import print_reasons
    from runoff.cli.show import print_candidates, print_json, print_line
    from runoff.tasks.ranking.demo import demo, write_demo_lists

    if write is not None:
        write_demo_lists(write)
        return
    result = demo()
    if json:
        print_json({"evaluation": result.evaluation, "example": result.example})
        return
    sizes = (
        f"{result.reranker.training['lists']} lists fitted, {len(result.ranked)} others reranked"
    )
    print_line(f"{sizes}: word error rate\n", "bold")
    print_evaluation(result.evaluation)
    print_line(f"\nOne of them. What was said: {result.example.gold}\n", "bold")
    print_candidates(result.example)
    print_line("\nWhy the winner won\n", "bold")
    print_reasons(result.reasons, top=8)
