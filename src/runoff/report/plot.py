"""Plots of training records, as files: learning curves, and how much work learning took.

The curves are those of section 5.4 of Collins & Koo (2005): quality on development lists by rounds
(their Figures 5 to 7), Work(n) and Savings(n) (their Figures 8 and 9). Other learners have others.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

from runoff.data.files import FilePath, open_output
from runoff.data.inputs import keeping_inputs
from runoff.data.text.printable import printable
from runoff.errors import UsageError, import_extra
from runoff.fitting.record import Record
from runoff.report.curves import find_curves, has_curves, read_record
from runoff.report.figure import INK, STYLE, draw_curves

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = {".svg": {"Date": None}, ".png": {"Software": None}, ".pdf": {"CreationDate": None}}
"""What is drawn by the name of the file, and what is left out of it: equal plots, equal bytes."""


def plot_record(record: Record, path: FilePath) -> None:
    """Draw the curves of a training record to a file; its name ends in .svg, .png or .pdf.

    Examples
    --------
    >>> rows = [{"epoch": float(n), "wrong": 9.0 / n, "dev quality": 7 - 2.0 / n} for n in (1, 2)]
    >>> plot_record({"epochs": rows}, "epochs.svg")
    """
    plot_records({"": record}, path)


def plot_records(records: Mapping[str, Record], path: FilePath) -> None:
    """Draw several training records in one plot, each under its label.

    Of a record with curves for several smoothings, the best one is drawn.

    Examples
    --------
    >>> weighted = [{"round": n * 100.0, "relative": 101 - 1.0 / n} for n in (1, 2, 3)]
    >>> unweighted = [{"round": n * 100.0, "relative": 100.5 - 1.0 / n} for n in (1, 2, 3)]
    >>> plot_records({"weighted": {"curve": weighted}, "not": {"curve": unweighted}}, "two.svg")
    """
    save_plot(path, partial(draw_curves, find_curves(records)))


def plot_trials(records: Mapping[str, Record], folder: FilePath) -> list[Path]:
    """Draw `curves.svg`, those of the first record, and `variants.svg`, the best of each.

    Records without a curve are left out; where none has one, nothing is drawn. The second file is
    for several records.
    """
    drawable = {label: record for label, record in records.items() if has_curves(record)}
    if not drawable:
        return []
    made = Path(folder)
    made.mkdir(parents=True, exist_ok=True)
    plots = [made / "curves.svg"]
    plot_record(next(iter(drawable.values())), plots[0])
    if len(drawable) > 1:
        plots.append(made / "variants.svg")
        plot_records(drawable, plots[1])
    return plots


def save_plot(path: FilePath, draw: Callable[[], Figure]) -> None:
    """Write a figure to a file, in Runoff's style."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise UsageError(f"the name of a plot must end in .svg, .png or .pdf, not {str(path)!r}")
    with open_output(path) as stream:
        _save(draw, stream, suffix)


def inline_svg(draw: Callable[[], Figure], about: str, prefix: str) -> str:
    """A figure as SVG for a page: in the colours of the page, its ids begin with the prefix.

    Parameters
    ----------
    about : what it shows, for those who do not see it.
    """
    stream = io.BytesIO()
    _save(draw, stream, ".svg")
    text = stream.getvalue().decode()
    text = text[text.index("<svg") :].replace(INK, "currentColor")
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{prefix}-", text)
    # the backgrounds of figure and axes are those of the page
    text = re.sub(r"fill: #ffffff; stroke: none", "fill: none", text)
    text = re.sub(r"fill: #ffffff(; opacity: [\d.]+)?", "fill: none", text)
    label = quoteattr(about)
    return text.replace("<svg ", f'<svg class="plot" role="img" aria-label={label} ', 1)


def _save(draw: Callable[[], Figure], stream: IO[bytes], suffix: str) -> None:
    matplotlib = import_extra("matplotlib", "plot")
    with matplotlib.rc_context(), warnings.catch_warnings():
        matplotlib.rcdefaults()  # whatever the user's own style
        matplotlib.rcParams.update(STYLE)
        warnings.filterwarnings("ignore", "Glyph")  # a letter the font lacks is drawn as a box
        figure = draw()
        texts: list[Any] = figure.findobj(lambda artist: hasattr(artist, "set_text"))
        for text in texts:
            if (shown := printable(text.get_text())) != text.get_text():  # XML has no controls
                text.set_text(shown)
        figure.savefig(stream, format=suffix[1:], dpi=160, metadata=FORMATS[suffix])


@keeping_inputs()
def plot_models(models: Sequence[FilePath], path: FilePath) -> None:
    """Draw the training records of model files, under the names of the files."""
    names = [Path(model).stem for model in models]
    distinct = len(set(names)) == len(names)
    labels = names if distinct else [str(model) for model in models]
    records = {label: read_record(model) for label, model in zip(labels, models, strict=True)}
    plot_records(records, path)
