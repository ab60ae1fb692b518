"""What stands before and around judging: asking a harness what it is, and one property on a fresh one."""

from __future__ import annotations

import os
from dataclasses import replace

from adapters.contract import Harness, HarnessFault
from grading.beyond import NOTHING, Beyond, Known
from grading.engine import Examiner
from grading.verdicts import FAILS, Options, Report, Verdict, steady
from properties.registry import Property


def introduced(harness: Harness, report: Report | None = None) -> HarnessFault | None:
    """Ask the harness what it is before anything is judged; the fault if it cannot say.

    Probes leave nothing behind: the first property meets a fresh harness, as every other does.
    """
    try:
        capabilities, policies = tuple(sorted(harness.capabilities)), dict(harness.policies)
    except HarnessFault as fault:
        return fault
    except Exception:
        return None  # an adapter that breaks: each property meets it and says so
    finally:
        harness.restart()
    if report is not None:
        report.capabilities, report.policies = capabilities, policies
    return None


def unloaded(prop: Property, harness: Harness, fault: HarnessFault) -> Verdict:
    """The verdict on any property of a harness that does not get as far as being judged."""
    return Verdict(prop.id, prop.tier.word, FAILS, not_loading(harness, fault), key=fault.key or "unloadable")


def not_loading(harness: Harness, fault: HarnessFault) -> str:
    """In a sentence, why a harness does not get as far as being judged."""
    return steady(str(fault) if fault.key else f"{harness.about.name} does not load: {fault}")


def judged(prop: Property, harness: Harness, options: Options, known: Known = NOTHING) -> Verdict:
    """Judge one property on a fresh harness; `seconds` counts its processes, too.

    What is known to fail is looked past.
    """
    harness.restart()
    before = cpu_seconds()
    examiner = Beyond(prop, harness, options, known) if known.ids else Examiner(prop, harness, options)
    verdict = examiner.verdict()
    harness.restart()  # ends the harness's process, whose time is counted from then on
    return replace(verdict, seconds=cpu_seconds() - before)


def cpu_seconds() -> float:
    """CPU time of this process and of those that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
