"""`harness-props check`: every target one after the other, shown and written."""

from __future__ import annotations

import contextlib
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from adapters.contract import Unusable
from adapters.targets import kind_of
from grading import formats, show
from grading.fuzz import baseline
from grading.fuzz.baseline import Entry
from grading.fuzz.explorer import roots
from grading.fuzz.groups import of_verdict
from grading.fuzz.telling import compared
from grading.isolation.ladder import beside, choose
from grading.leave import BROKEN, FAILED, INTERRUPTED, OK, UNUSABLE, BadCall, complain, crash
from grading.run import Progress as Heard
from grading.run import Target, check, default_tier, selected
from grading.screen import Screen
from grading.verdicts import ERROR, FAILS, Options, Report, Verdict
from properties.registry import Tier


@dataclass(frozen=True)
class Asked:
    """What the command line asks of a check; `tier` is None where each target's default holds."""

    targets: tuple[str, ...]
    tier: Tier | None = None
    lesson: int = 6
    only: tuple[str, ...] = ()
    examples: int = 100
    seed: int = 0
    jobs: int = 1
    stop_at_first: bool = False
    json: str | None = None
    junit: str | None = None
    timings: bool = False
    app_dir: str | None = None
    isolation: str | None = None
    baseline: str | None = None
    validate: bool = False
    keep_going: bool | None = None

    def options(self, target: str) -> Options:
        """The options in force for one target."""
        tier = default_tier(target) if self.tier is None else self.tier
        going = kind_of(target) != "file" if self.keep_going is None else self.keep_going
        return Options(
            int(tier), self.lesson, self.examples, self.seed, self.only, self.stop_at_first,
            going and not self.stop_at_first,
        )  # fmt: skip

    def again(self, target: str) -> str:
        """The command that checks this target alone, without what picks properties or writes files."""
        parts = ["harness-props", "check", target]
        parts += ["--tier", self.tier.word] if self.tier else []
        parts += ["--lesson", "3"] if self.lesson == 3 else []
        parts += ["--examples", str(self.examples)] if self.examples != 100 else []
        parts += ["--seed", str(self.seed)] if self.seed else []
        parts += ["--app-dir", self.app_dir] if self.app_dir else []
        parts += ["--isolation", self.isolation] if self.isolation else []
        parts += ["--baseline", self.baseline] if self.baseline else []
        parts += ["--validate"] if self.validate else []
        parts += [f"--{'no-' * (not self.keep_going)}keep-going"] if self.keep_going is not None else []
        return shlex.join(parts)


def run_checks(asked: Asked) -> int:
    """Check every target; returns the worst status. Raises BadCall or Unwritable beforehand.

    An unusable target is reported and the rest is still checked. With `--json -` (or `--junit -`)
    the report stands in place of what is shown.
    """
    files = [path for path in (asked.json, asked.junit) if path]
    if files.count("-") > 1:
        raise BadCall("--json - and --junit - cannot both write to standard output")
    for path in files:
        if path != "-":
            formats.writable(path)
    for target in asked.targets:
        try:
            selected(asked.options(target))
        except ValueError as error:
            raise BadCall(f"--only: {error}") from error
    if asked.baseline and len(asked.targets) > 1:
        raise BadCall("--baseline is of one target; check the others by themselves")
    entries = baseline.entries(asked.baseline, asked.targets[0]) if asked.baseline else None
    screen = Screen(Console(stderr=False, quiet="-" in files))
    reports: list[Report] = []
    worst = OK
    for number, target in enumerate(asked.targets):
        if number:
            screen.line()
        report, status = _checked(target, asked, screen, entries)
        reports.append(report)
        worst = max(worst, status)
        if report.interrupted:
            break
    if len(reports) > 1:
        _overview(screen, reports)
    with _unbroken():
        return max(worst, _written(asked, reports))


def _checked(
    target: str, asked: Asked, screen: Screen, entries: list[Entry] | None
) -> tuple[Report, int]:
    """One target's report and status; what keeps it from being checked is said at once."""
    options = asked.options(target)
    report = Report(target, target, "", options)
    named = Target(target, asked.lesson, asked.app_dir, validate=asked.validate)
    try:
        if asked.isolation:
            named = replace(named, isolation=choose(asked.isolation), root=beside(target))
        harness = named.open()
        show.header(screen, report, len(selected(options)), asked.jobs)
        if named.isolation:
            screen.line(f"  isolation {named.isolation.name}; {'; '.join(named.isolation.uncontained)}")
        with _progress(screen.console) as heard:
            report = check(named, options, jobs=asked.jobs, progress=heard, harness=harness)
    except KeyboardInterrupt:
        report.problem, report.interrupted = "interrupted before it was checked", True
    except Unusable as problem:
        report.problem = str(problem)
        complain(report.problem)
        return report, UNUSABLE
    except Exception as error:
        report.problem = f"the suite broke: {type(error).__name__}"
        complain(crash(error))
        return report, BROKEN
    show.findings(screen, report, asked.again(target))
    if asked.timings:
        show.timings(screen, report)
    status = status_of(report)
    if entries is not None and status in (OK, FAILED):
        status = _against(named, report, entries, screen)
    return report, status


def _against(named: Target, report: Report, entries: list[Entry], screen: Screen) -> int:
    """The status of a report against what is known to fail; each entry is played on a fresh harness."""
    known = baseline.Baseline(entries)
    harness = named.open()
    try:
        known.play(harness)
    finally:
        harness.close()
    failing = [v for v in report.verdicts if v.verdict == FAILS]
    said = known.compared(
        baseline.Fresh(of_verdict(v).id, v.id, v.message, (v.owner, *roots(v.id))) for v in failing
    )
    compared(screen, said)
    return said.status


def status_of(report: Report) -> int:
    """The exit status that stands for one report."""
    kinds = {verdict.verdict for verdict in report.verdicts}
    if report.interrupted:
        return INTERRUPTED
    if ERROR in kinds:
        return BROKEN
    return FAILED if FAILS in kinds else OK


@contextlib.contextmanager
def _progress(console: Console) -> Iterator[Heard | None]:
    """A bar on standard error that names the property under way; only for somebody who looks on."""
    errors = Console(stderr=True)
    if not (errors.is_terminal and console.is_terminal):
        yield None
        return
    columns = (TextColumn("{task.description:<9}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
               TextColumn("{task.fields[failed]}"))  # fmt: skip
    with Progress(*columns, console=errors, transient=True) as bar:
        task = bar.add_task("loading", total=None, failed="")

        def heard(id_: str, done: int, total: int, verdict: Verdict | None) -> None:
            bar.update(task, description=id_, completed=done, total=total)
            if verdict is not None and verdict.verdict == FAILS:
                bar.update(task, failed="[red]something fails[/]")

        yield heard


def _overview(screen: Screen, reports: list[Report]) -> None:
    """A line for each of several targets."""
    screen.line()
    for report in reports:
        failing = [v.id for v in report.verdicts if v.verdict == FAILS]
        errors = [v.id for v in report.verdicts if v.verdict == ERROR]
        words = f"fails {', '.join(failing)}" if failing else "holds"
        words += f"; error in {', '.join(errors)}" if errors else ""
        screen.line(f"{report.target}: {report.problem or words}")


@contextlib.contextmanager
def _unbroken() -> Iterator[None]:
    """Reports are written whole even if Ctrl-C is pressed once more."""
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:  # not in the main thread: no signal comes here
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _written(asked: Asked, reports: list[Report]) -> int:
    """Write the reports that were asked for; the status, with every failure named."""
    status = OK
    texts: tuple[tuple[str | None, Callable[[], str]], ...] = (
        (asked.json, lambda: formats.json_text(reports, several=len(asked.targets) > 1)),
        (asked.junit, lambda: formats.junit_text(reports)),
    )
    for path, text in texts:
        if path == "-":
            sys.stdout.write(text())
        elif path:
            try:
                formats.write(path, text())
            except formats.Unwritable as problem:
                complain(str(problem))
                status = UNUSABLE
    return status
