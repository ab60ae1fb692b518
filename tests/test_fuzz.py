"""Fuzzing: groups, smallest scripts, the corpus, runs that stop and go on."""

import json
from pathlib import Path

import pytest
from hypothesis import strategies as st

from adapters.contract import About, Hung
from grading.engine import HANG_TRIES
from grading.fuzz.corpus import Corpus
from grading.fuzz.explorer import Explorer, OutOfTime, roots
from grading.fuzz.groups import Group, plain
from grading.fuzz.journal import Finding, Journal
from grading.fuzz.session import Session, told
from grading.fuzz.watching import Watching
from grading.leave import BadCall
from grading.verdicts import Options
from properties.checks import Violation, fail
from properties.registry import FIELD, Property, Stage, load
from strategies.script import Cut

SCRIPTS = st.integers(0, 200).map(lambda n: Cut("x" * n, n))


class Mirror:
    """A harness that does nothing; what is judged is the script alone."""

    about, capabilities, policies = About("mirror", "1.0"), frozenset(), {}

    def __init__(self) -> None:
        self.restarts = 0

    def restart(self) -> None:
        self.restarts += 1

    def close(self) -> None:
        pass


def law(judge, id_: str = "LOOP-90", *, needs: tuple[str, ...] = (), examples: tuple[Cut, ...] = ()) -> Property:
    stage = Stage(FIELD, "It holds.", judge, SCRIPTS, examples)
    return Property(id_, "nowhere", frozenset(needs), (), "", [stage])


def two_ways(script: Cut, _) -> None:
    """Fails in two ways that have nothing to do with each other."""
    if 20 <= len(script.text) <= 40:
        fail("a middling text", f"request {len(script.text)}")
    if len(script.text) > 50:
        fail(f"{len(script.text)} letters are too many", "end of prompt 1")


@pytest.fixture
def session():
    """Makes runs on a harness in this process, not started; their journals are closed in the end."""
    journals = []

    def make(folder: Path, *props: Property, examples: int = 100, over=lambda: False, go_on=False, harness=None) -> Session:
        journal, corpus = Journal(folder, "mirror"), Corpus(folder / "scripts")
        journals.append(journal)
        corpus.read()
        state = journal.begin({"seed": 5}, going_on=go_on)
        return Session(harness or Mirror(), {p.id: p for p in props}, Options(int(FIELD), 6, 0, 0), corpus, journal,
                       state, Watching(state), over, examples)  # fmt: skip

    yield make
    for journal in journals:
        journal.close()


def scripts_of(state) -> dict[str, int]:
    """Each finding's message, and how long its script's text is."""
    return {f.verdict.message: len(f.verdict.counterexample.script.get("text", "")) for f in told(state)[0]}


# ---- groups -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the texts is ['a'], not []", "the texts is ['b', {'c': [1]}], not ['x']"),
        ("prompt 2, request 3", "request 12"),
        ("messages[1]: toolCall c2 has no toolResult", "messages[3]: toolCall call 2/ü:#{2} has no toolResult"),
        ("it's \"a\" and 1,5 of 7", "it's \"b\\\"c\" and 2 of 900"),
    ],
)
def test_words_that_depend_on_the_script_make_no_group(one, other):
    """Quotations, values, numbers and ids are left out, and nothing else is."""
    assert plain(one) == plain(other)
    assert plain(one) != plain(one + " again")


def test_what_belongs_to_one_cause_is_one_group():
    """A crash or a hang is one in all properties, and so is what belongs to another property."""
    prop = load()["LOOP-01"]
    explorer = Explorer(prop, Mirror(), Options(int(FIELD)))

    def group(why: Exception, of: Explorer = explorer) -> Group:
        def judge(*_):
            raise why

        return of._group(0, of.once(Stage(FIELD, "", judge, SCRIPTS), Cut("")))

    other = Explorer(load()["TOOL-01"], Mirror(), Options(int(FIELD)))
    for why in (Hung("the harness did nothing for 30 s"), Violation("refused", "request 2", "LOOP-03")):
        assert group(why) == group(why, other)
    assert group(Violation("refused", "request 2")) != group(Violation("refused", "request 2"), other)
    assert group(Violation("refused", "request 2", "LOOP-03")).root == "LOOP-03"
    assert "LOOP-01" in roots("LOOP-05")


# ---- a run --------------------------------------------------------------------------------


def test_every_group_is_found_and_made_small(tmp_path, session):
    """One property that fails in two ways gives two findings, each with its own smallest script."""
    made = session(tmp_path, law(two_ways))
    assert made.run()
    assert scripts_of(made.state) == {"a middling text": 20, "51 letters are too many": 51}
    assert all(f.whole and f.draw for f in made.state.findings.values())
    assert made.state.scripts == 100


def test_seeds_are_fresh_from_round_to_round(tmp_path, session):
    """What is drawn in the second round is not what was drawn in the first."""
    seen = []
    session(tmp_path, law(lambda script, _: seen.append(script)), examples=150).run()
    assert len(seen) == 150
    assert seen[100:] != seen[:50]


def test_an_explicit_example_gives_way_to_a_smaller_draw(tmp_path, session):
    """What fails without being drawn is kept as it is, unless draws show the same in a smaller script."""
    big = Cut("x" * 199, 199)
    alone = session(tmp_path / "a", law(lambda s, _: len(s.text) == 199 and fail("exactly"), examples=(big,)), examples=1)
    alone.run()
    assert scripts_of(alone.state) == {"exactly": 199}
    both = session(tmp_path / "b", law(lambda s, _: len(s.text) > 3 and fail("long"), examples=(big,)))
    both.run()
    assert scripts_of(both.state) == {"long": 4}


def test_what_is_found_is_played_first_by_everybody(tmp_path, session):
    """The corpus names a script by what is in it, and the next harness meets it before anything is drawn."""
    first = session(tmp_path, law(two_ways, "CUT-01"))
    first.run()
    files = sorted((tmp_path / "scripts").glob("*.json"))
    assert len(files) == 2
    first.corpus.keep(next(iter(first.state.findings.values())).verdict.counterexample)
    assert sorted((tmp_path / "scripts").glob("*.json")) == files
    first.journal.close()
    seen = []
    session(tmp_path, law(lambda script, _: seen.append(len(script.text)), "CUT-01"), examples=1).run()
    assert sorted(seen[:2]) == [20, 51]
    (tmp_path / "scripts" / "odd.json").write_text("{")
    assert Corpus(tmp_path / "scripts").read() == 2


def test_a_failure_that_follows_from_another_is_told_there(tmp_path, session):
    """Where the same run breaks what a property comes after, it is no finding of its own."""
    def root(script, _):
        if len(script.text) > 20:
            fail("too long")

    def later(script, _):
        if len(script.text) > 20:
            fail("far too long")
        if len(script.text) == 13:
            fail("unlucky")

    known = {"LOOP-90": law(root), "LOOP-91": law(later, "LOOP-91")}
    known["LOOP-91"].after = ("LOOP-90",)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("grading.fuzz.explorer.load", lambda: known)
        roots.cache_clear()
        made = session(tmp_path, *known.values(), examples=300)
        made.run()
    roots.cache_clear()
    assert scripts_of(made.state) == {"too long": 21, "unlucky": 13}
    assert [f.law for f in told(made.state)[1]["LOOP-90"]] == ["LOOP-91"]


def test_state_that_is_kept_is_one_finding(tmp_path, session):
    """A harness that fails only after other runs is told as LOOP-14, with the runs before."""
    class Keeps(Mirror):
        count = 0

        def restart(self) -> None:
            self.count = 0

    def judge(script, harness):
        harness._harness.count += 1
        if harness._harness.count > 3:
            fail("it remembers")

    made = session(tmp_path, law(judge), harness=Keeps(), examples=20)
    made.run()
    (found,) = made.state.findings.values()
    assert found.law == "LOOP-14"
    assert len(found.verdict.counterexample.before) == 3
    assert not list((tmp_path / "scripts").glob("*.json"))


def test_hangs_are_one_finding_and_few_tries(tmp_path, session):
    """A hang is told once, whatever property meets it, and each property hangs a counted number of times."""
    hung = []

    def judge(script, _):
        if len(script.text) > 10:
            hung.append(script)
            raise Hung(f"the harness used more than {len(script.text)} s of CPU time on one run")

    made = session(tmp_path, law(judge), law(judge, "LOOP-91"))
    made.run()
    (found,) = told(made.state)[0]
    assert found.verdict.hung
    assert found.law == "LOOP-90"
    assert len(hung) <= 3 * (HANG_TRIES + 1)


def test_errors_of_ours_and_what_does_not_apply(tmp_path, session):
    """Neither ends a run, and neither is a finding."""
    made = session(tmp_path, law(lambda *_: 1 / 0), law(two_ways, "LOOP-91", needs=("bash",)), law(two_ways, "LOOP-92"))
    assert made.run()
    assert "ZeroDivisionError" in made.state.errors["LOOP-90"]
    assert made.state.not_applicable == {"LOOP-91": "the harness does not offer bash"}
    assert len(made.state.findings) == 2


# ---- stopping and going on ----------------------------------------------------------------


def test_a_run_that_was_stopped_goes_on(tmp_path, session):
    """What was seen when the time was over is kept as it was, and made small by the run that goes on."""
    left = [40]

    def over() -> bool:
        left[0] -= 1
        return left[0] < 0

    made = session(tmp_path, law(two_ways), over=over)
    assert not made.run()
    made.journal.close()
    assert made.state.findings
    assert not any(f.whole for f in made.state.findings.values())
    again = session(tmp_path, law(two_ways), go_on=True)
    assert again.state.findings.keys() == made.state.findings.keys()
    assert again.run()
    assert scripts_of(again.state) == {"a middling text": 20, "51 letters are too many": 51}


def test_a_line_that_was_cut_off_is_left_out(tmp_path, session):
    """A journal that ends in half a line is read up to there and goes on behind it."""
    made = session(tmp_path, law(two_ways))
    made.run()
    made.journal.close()
    with made.journal.file.open("a") as file:
        file.write('{"found": {"id"')
    again = session(tmp_path, law(two_ways), go_on=True)
    again.journal.swept("LOOP-90", 7, 100, 100)
    again.journal.close()
    third = session(tmp_path, law(two_ways), go_on=True)
    assert third.state.findings.keys() == made.state.findings.keys()
    assert third.state.swept["LOOP-90", 7] == 100


def test_two_runs_do_not_share_a_journal(tmp_path, session):
    """A second run on the same target is refused as long as the first is at work."""
    session(tmp_path, law(two_ways))
    with pytest.raises(BadCall, match="another `harness-props fuzz` is at work"):
        session(tmp_path, law(two_ways))


def test_a_finding_survives_as_data(tmp_path, session):
    """What is written of a finding is read back as the same finding."""
    made = session(tmp_path, law(two_ways))
    made.run()
    for finding in made.state.findings.values():
        data = finding.to_json()
        assert Finding.from_json(json.loads(json.dumps(data))).to_json() == data


def test_out_of_time_passes_hypothesis_by(tmp_path):
    """The end of the time ends the drawing at once."""
    explorer = Explorer(law(two_ways), Mirror(), Options(int(FIELD), examples=50), lambda: True)
    with pytest.raises(OutOfTime):
        explorer.sweep(lambda _: (), explicit=True, sighted=lambda _: None, heard=lambda: None)
    assert explorer.examples == 0
