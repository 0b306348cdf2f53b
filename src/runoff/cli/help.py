"""Help texts: the parameters of commands as rows, for terminals and for the reference page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from typer.core import TyperCommand, TyperGroup

from runoff.cli.examples import EXAMPLES
from runoff.pipeline.options import help_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

ARGUMENTS, OPTIONS, COMMANDS = "Arguments", "Options", "Commands"
NARROW = 60
"""Terminals with fewer columns have explanations below names, not beside them."""


FILES = {
    "FILE",
    "FILE...",
    "LISTS",
    "MODEL",
    "[MODEL] [FILE...]",
    "IN",
    "RECIPE",
    "SOURCE",
    "TARGET",
}
"""What the values of parameters are called that name files."""

WHOLE_FILES = {"arpa", "output"}
TARGETS = WHOLE_FILES | {"plot", "svg"}
"""Parameters that name what a command writes: a file, or a file or folder."""


class Row(NamedTuple):
    """A parameter or a command: what it is called, its help, what is to be known of its value."""

    name: str
    help: str
    note: str
    panel: str


class Command(TyperCommand):
    """A command that prints its own help, and never overwrites what it reads."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; the file that it will write is checked before any work."""
        from runoff.data.files import check_target
        from runoff.data.inputs import keeping_inputs, note_read

        targets = {name: ctx.params[name] for name in TARGETS if ctx.params.get(name) is not None}
        if not targets:
            return super().invoke(ctx)
        with keeping_inputs(*targets.values()):
            for file in self._files_read(ctx.params):
                note_read(file)
            for name in WHOLE_FILES & targets.keys():
                check_target(targets[name])
            return super().invoke(ctx)

    def _files_read(self, given: Mapping[str, Any]) -> Iterator[str]:
        """Files that the parameters name, and those of functions named `module:function`."""
        for one in self.params:
            values = given.get(one.name or "")
            for value in values if isinstance(values, list) else [values]:
                if one.name in TARGETS or not isinstance(value, str):
                    continue
                if one.metavar in FILES:
                    yield value
                elif ":" in value:
                    yield f"{value.partition(':')[0].replace('.', '/')}.py"

    def get_usage(self, ctx: Any) -> str:
        """The line above errors."""
        return f"Usage: {usage(ctx.command_path, self)}"

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help text."""
        _print_help(self, ctx, parameter_rows(self.get_params(ctx)))


class Group(TyperGroup):
    """A group of commands that prints its own help."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help text."""
        _print_help(self, ctx, [*parameter_rows(self.get_params(ctx)), *self.command_rows(ctx)])

    def command_rows(self, ctx: Any) -> list[Row]:
        """The commands, each with the first sentence of its help."""
        commands: dict[str, Any] = {
            name: self.get_command(ctx, name) for name in self.list_commands(ctx)
        }
        return [
            Row(name, (one.help or "").split("\n\n")[0], "", one.rich_help_panel or COMMANDS)
            for name, one in commands.items()
        ]


def parameter_rows(parameters: Iterable[Any]) -> list[Row]:
    """The parameters of a command, arguments first."""
    rows = [
        Row(
            parameter_name(one),
            help_text(one.help or ""),
            _note(one),
            getattr(one, "rich_help_panel", None) or (OPTIONS if is_option(one) else ARGUMENTS),
        )
        for one in parameters
    ]
    return sorted(rows, key=lambda row: row.panel != ARGUMENTS)


def is_option(parameter: Any) -> bool:
    """Whether a parameter is an option and not an argument."""
    return bool(parameter.param_type_name == "option")


def parameter_name(parameter: Any) -> str:
    """How a parameter is written: `--output, -o FILE`, or `FILE...`."""
    if not is_option(parameter):
        return str(parameter.metavar or parameter.name.upper())
    names = sorted([*parameter.opts, *parameter.secondary_opts], key=lambda one: one[:2] != "--")
    flags = ", ".join(names)
    return flags if parameter.is_flag else f"{flags} {parameter.metavar}"


def usage(path: str, command: Any) -> str:
    """The command with its arguments, those in brackets that may be left out."""
    arguments = [one for one in command.params if not is_option(one)]
    words = [path, "[OPTIONS]"]
    for one in arguments:
        name = parameter_name(one)
        words.append(name if one.required or name.startswith("[") else f"[{name}]")
    return " ".join([*words, *(["COMMAND ..."] if isinstance(command, TyperGroup) else [])])


def _note(parameter: Any) -> str:
    """Whether a value is required, or else its default."""
    if parameter.required:
        return "required"
    shown, default = parameter.show_default, parameter.default
    if isinstance(shown, str):
        return f"default: {shown}"
    if not shown or default is None or default is False:
        return ""
    if default is True:
        return f"default: {parameter.opts[0].lstrip('-')}"
    return f"default: {default}"


def _print_help(command: Any, ctx: Any, rows: list[Row]) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from runoff.cli.terminal import Terminal

    console = Terminal()
    console.print()
    line = Text.assemble(("Usage:", "bold"), f" {usage(ctx.command_path, command)}")
    console.print(Padding(line, (0, 1)))
    for paragraph in (command.help or "").split("\n\n"):
        console.print(Padding(_styled(" ".join(paragraph.split())), (1, 1, 0, 1)))
    console.print()
    for panel in dict.fromkeys(row.panel for row in rows):
        _print_panel(console, panel, [row for row in rows if row.panel == panel])
    examples = EXAMPLES.get(ctx.command_path.removeprefix("runoff "), [])
    if examples:
        console.print(Padding(Text("Examples:", style="bold"), (1, 1, 0, 1)))
    for example in examples:
        console.print(Padding(Text(example), (0, 1, 0, 3)))
    if examples:
        console.print()


def _print_panel(console: Console, title: str, rows: list[Row]) -> None:
    from rich import box
    from rich.padding import Padding
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2), expand=True)
    if console.width >= NARROW:
        grid.add_column(no_wrap=True)
    grid.add_column(ratio=1)
    for row in rows:
        name = Text(row.name, style="bold cyan")
        about = _styled(row.help)
        if row.note:
            about.append(f" [{row.note}]", style="dim")
        if console.width >= NARROW:
            grid.add_row(name, about)
        else:
            grid.add_row(name)
            grid.add_row(Padding(about, (0, 0, 0, 4)))
    console.print(Panel(grid, title=title, title_align="left", border_style="dim", box=box.ROUNDED))


def _styled(text: str) -> Text:
    """A text in which what stands between backticks is bold."""
    from rich.text import Text

    result = Text()
    for number, part in enumerate(text.split("`")):
        result.append(part, style="bold" if number % 2 else "")
    return result
