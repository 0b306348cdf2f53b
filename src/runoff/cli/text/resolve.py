"""`runoff resolve`: put records that are one thing into one cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from runoff.cli.options import NoMap
from runoff.cli.plan_options import command_for
from runoff.pipeline.options import check_ranges, option

if TYPE_CHECKING:
    from runoff.data.records.records import Records
    from runoff.tasks.identity.model import IdentityModel
    from runoff.tasks.identity.resolution import Joint, Reasons, Resolution


@dataclass(frozen=True, kw_only=True)
class ResolveOptions:
    """How records are merged, and what is written."""

    output: str = option(
        "-",
        "File of clusters to write, CSV, TSV or JSON Lines by its name; `-` is stdout.",
        flags=("--output", "-o"),
        metavar="FILE",
    )
    id: str | None = option(
        None, "Column that has the ids of the records; by default, id.", metavar="COLUMN"
    )
    review: str | None = option(
        None,
        "File to write with the least certain merges and the likeliest missed ones, for a person "
        "to answer yes or no.",
        metavar="FILE",
    )
    decisions: str | None = option(
        None, "File with answers, as `--review` writes it; they bind this run.", metavar="FILE"
    )
    doubts: int = option(50, "Number of merges that `--review` writes.", min=1)
    gain: str | None = option(
        None,
        "Gain of a merge, union or difference; by default, the one the model was trained for.",
        metavar="TEXT",
    )
    stop: float | None = option(
        None,
        "Gain at which merging ends; a greater one gives smaller clusters; by default, the one "
        "that training chose.",
    )
    concentration: float | None = option(
        None, "Concentration of the prior on the number and sizes of clusters; 0 is none.", min=0
    )
    look_ahead: float | None = option(
        None, "Log-odds that the first of two merges may lose if the second wins them back.", min=0
    )
    moves: int | None = option(None, "Number of passes that move single records.", min=0)
    n: int = option(
        1, "Number of clusterings of each block, with `--json`; see `runoff fit`.", min=1, max=1000
    )
    gold: str | None = option(
        None, "Column that has the gold clusters, for the lists of `--n`.", metavar="COLUMN"
    )
    block: str | None = option(
        None, "Without a model: column that records of one thing always share.", metavar="COLUMN"
    )
    threshold: float = option(
        0.8, "Without a model: similarity of records that are one thing.", min=0, max=1
    )
    write_statements: str | None = option(
        None,
        "File to write with the statements about sets that would be made from these records, to "
        "be edited; nothing is resolved.",
        metavar="FILE",
    )
    top: int = option(10, "Number of terms that `--why` prints; `--json` has them all.", min=0)
    json: bool = option(False, "Print JSON, for programs.")

    def __post_init__(self) -> None:
        """Check the range of numbers."""
        check_ranges(self)

    def applied(self, model: IdentityModel) -> IdentityModel:
        """The model with the options that were given."""
        from runoff.errors import unknown_choice
        from runoff.tasks.identity.plan import GAINS

        if self.gain is not None and self.gain not in GAINS:
            raise unknown_choice("gain", self.gain, GAINS)
        names = ("gain", "stop", "concentration", "look_ahead", "moves")
        given = {name: getattr(self, name) for name in names}
        changes = {name: value for name, value in given.items() if value is not None}
        return model.with_rule(**changes)


def run(
    *,
    files: Annotated[
        list[str],
        typer.Argument(
            help="Model file written by `runoff train identity`, and the file of records; or the "
            "records alone. CSV, TSV, JSON Lines, Parquet, `records.db::table`; `-` is stdin.",
            metavar="[MODEL] RECORDS",
            show_default=False,
        ),
    ],
    why: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--why",
            help="Ids of two records: say what joined them, or kept them apart.",
            metavar="ID1 ID2",
        ),
    ] = None,
    options: ResolveOptions,
    no_map: NoMap = False,
) -> None:
    """Put records that are one thing into one cluster.

    Every record is written once, in the order of the input, with its cluster and how certain that
    is. Without a model, records are compared as a whole, with one threshold: a start that knows
    nothing of the data.
    """
    from runoff.cli.show import print_json, training_engine
    from runoff.data.records.clusters import write_clusters
    from runoff.data.records.records import read_records
    from runoff.errors import UsageError
    from runoff.tasks.identity.decisions import read_decisions

    if not 1 <= len(files) <= 2:
        raise UsageError("`runoff resolve` takes a model and records, or records alone")
    records = read_records(files[-1], options.id)
    if options.write_statements is not None:
        _write_statements(records, options)
        return
    model = options.applied(_model(files[0] if len(files) == 2 else None, records, options, no_map))
    if options.n > 1:
        _write_lists(model, records, options)
        return
    _note_absent(model, records)
    decisions = read_decisions(options.decisions) if options.decisions else []
    with training_engine("1") as engine:
        found = model.resolve(records, decisions=decisions, engine=engine)
    if options.review is not None:
        _write_review(found, options)
    if why is not None:
        reasons = found.why(*why)
        print_json(reasons) if options.json else print_reasons(reasons, options.top)
    elif options.json and options.output == "-":
        _print_json(found)
    else:
        write_clusters(records, found.labels, found.confidences, options.output)


command = command_for(ResolveOptions, run)


def _model(
    path: str | None, records: Records, options: ResolveOptions, no_map: bool
) -> IdentityModel:
    from runoff.cli.show import note
    from runoff.tasks.identity.model import IdentityModel

    if path is not None:
        return IdentityModel.load(path, map=not no_map)
    note(
        "without a model, records are compared as a whole with one threshold, which knows nothing "
        "of these data; `runoff train identity` learns from records whose clusters are known"
    )
    fields = [name for name in records.fields if name not in (options.block, options.gold)]
    return IdentityModel.untrained(fields, block=options.block, threshold=options.threshold)


def _note_absent(model: IdentityModel, records: Records) -> None:
    """Say which fields no record has: what was learned of them moves all log-odds alike."""
    from runoff.cli.show import note

    absent = [n for n in model.fields if n in records.fields and not any(records.columns[n])]
    if absent and not model.training.get("untrained"):
        note(
            f"no record has a value for {', '.join(absent)}, which the model compares; if these "
            "records have it under another name, rename the column"
        )


def _write_statements(records: Records, options: ResolveOptions) -> None:
    from runoff.data.files import write_pieces
    from runoff.proposers.identity.defaults import default_statements
    from runoff.proposers.identity.statements import statements_text

    fields = [name for name in records.fields if name not in (options.block, options.gold)]
    text = statements_text(default_statements(records, fields))
    write_pieces([text.encode()], options.write_statements or "-")


def _write_lists(model: IdentityModel, records: Records, options: ResolveOptions) -> None:
    from runoff.data.files import write_pieces
    from runoff.data.formats import jsonl
    from runoff.tasks.identity.clusterings import clusterings

    lists = clusterings(model, records, options.n, cluster=options.gold)
    write_pieces(jsonl.encode(lists), options.output)


def _write_review(found: Resolution, options: ResolveOptions) -> None:
    import csv
    import io

    from runoff.data.files import write_pieces

    places = {one: place for place, one in enumerate(found.records.ids)}
    fields = found.model.fields
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    shown = [f"{name} {number}" for name in fields for number in (1, 2)]
    rows.writerow(["first", "second", "answer", "merged", "logodds", *shown])
    for one in found.doubts(options.doubts):
        sides = [found.records.columns, found.records.columns]
        pair = (places[one.first], places[one.second])
        values = [_cell(s[f][p]) for f in fields for s, p in zip(sides, pair, strict=True)]
        merged = "yes" if one.merged else "no"
        rows.writerow([one.first, one.second, "", merged, f"{one.logodds:.4f}", *values])
    write_pieces([text.getvalue().encode("utf-8", "surrogatepass")], options.review or "-")


def _cell(value: Any) -> str:
    return "; ".join(value) if isinstance(value, list) else value or ""


def _print_json(found: Resolution) -> None:
    from runoff.cli.show import print_json

    rows = zip(found.records.ids, found.labels, found.confidences, strict=True)
    clusters = [{"id": i, "cluster": c, "confidence": p} for i, c, p in rows]
    print_json({"records": clusters, "clusters": found.clusters})


def print_reasons(reasons: Reasons, top: int) -> None:
    """Print what joined two records, or kept them apart."""
    from runoff.cli.show import print_line

    verdict = "are in one cluster" if reasons.same else "are in different clusters"
    print_line(f"{reasons.first} and {reasons.second} {verdict}", "bold")
    if reasons.note:
        print_line(reasons.note)
    for number, joint in enumerate(reasons.chain, 1):
        said = f"merge {number} of the chain" if reasons.same else "the merge that was not made"
        _print_joint(said, joint, top)
    if reasons.pair is not None:
        _print_joint("what the model of pairs says of the two", reasons.pair, top)


def _print_joint(title: str, joint: Joint, top: int) -> None:
    from runoff.cli.show import print_line, table

    sides = (" ".join(side[:5]) + (" …" if len(side) > 5 else "") for side in joint[:2])
    print_line(f"\n{title}: {' with '.join(sides)}", "bold")
    rows: list[list[object]] = [list(term) for term in joint.terms[:top]]
    rest = joint.terms[top:]
    if rest:
        others = sum(term.term for term in rest)
        rows.append([f"{len(rest)} smaller terms", None, None, others])
    rows.append(["log-odds", None, None, joint.logodds])
    table(None, ["statement", "value", "weight", "term"], rows)
