"""Rubrics: what is accepted, what is said of the rest, and what everything is worth."""

import dataclasses

import pytest

from grading.batch import rubric as rubrics
from grading.batch import sets
from grading.batch.points import Plan, plan, points, required
from grading.batch.record import Judged
from grading.leave import BadCall
from grading.verdicts import ERROR, FAILS, HOLDS, NOT_APPLICABLE, NOT_REACHED, Counterexample, Verdict
from properties.registry import COURSE, FIELD, PRINCIPLE, Tier, load

KNOWN = load()


def read(folder, text: str) -> rubrics.Rubric:
    path = folder / "rubric.toml"
    path.write_text(text)
    return rubrics.read(str(path))


def planned(folder, text: str) -> Plan:
    return plan(read(folder, text), KNOWN)


def verdicts(made: Plan, **told: str) -> list[Verdict]:
    """A verdict for each property in the plan: holds, or what is told by id with _ for -."""
    found = []
    for id_ in made.ids:
        word, _, message = told.get(id_.replace("-", "_"), HOLDS).partition(": ")
        found.append(Verdict(id_, KNOWN[id_].tier.word, word, message or ("broken" if word == FAILS else "")))
    return found


def waits(root: str) -> str:
    return f"{NOT_REACHED}: {root} fails, and this depends on it"


def scored(made: Plan, **told: str) -> tuple[dict[str, Judged], float, float]:
    judged, score, most = points(required(verdicts(made, **told), made), made)
    return {one.id: one for one in judged}, score, most


CUTS = 'only = ["CUT-01", "CUT-02", "CUT-03", "CUT-04", "CUT-05"]\n'


# ---- reading ------------------------------------------------------------------------------


def test_the_default_is_read_and_says_what_it_takes_for_granted(tmp_path):
    """An empty rubric is the default, byte for byte in what it means."""
    assert rubrics.read() == dataclasses.replace(read(tmp_path, ""), file=str(rubrics.DEFAULT))
    assert rubrics.read().tiers == (COURSE,)
    assert rubrics.read().set in sets.names()


def test_the_digest_is_of_what_a_rubric_means(tmp_path):
    """Comments, order and the seed do not change it; points do."""
    first = read(tmp_path, 'examples = 7\n[points]\nCUT = 3\nLOOP = 4\n').digest
    assert read(tmp_path, '# hello\nexamples = 7\nseed = 5\n[points]\nLOOP = 4\nCUT = 3\n').digest == first
    assert read(tmp_path, 'examples = 7\n[points]\nLOOP = 4\nCUT = 4\n').digest != first


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("exampels = 3", "exampels: no such key (did you mean examples?); accepted are set, only, tiers"),
        ("examples = 0", "examples: 0 is not accepted here, only a whole number from 1 on"),
        ("examples = true", "examples: True is not accepted here"),
        ("examples = 'many'", "examples: 'many' is not accepted here"),
        ("lesson = 4", "lesson: 4 is not accepted here, only 3 or 6"),
        ("lesson = 6.0", "lesson: 6.0 is not accepted here"),
        ("tiers = []", 'tiers: a list is not accepted here, only a list of "course", "principle" or "field"'),
        ("tiers = ['gold']", "tiers: a list is not accepted here"),
        ("tiers = 'course'", "tiers: 'course' is not accepted here"),
        ("set = 3", "set: 3 is not accepted here, only a text"),
        ("set = '1999.1'", "set: there is no set '1999.1'; known: 2026.1, 2026.2"),
        ("seed = 1.5", "seed: 1.5 is not accepted here, only a whole number"),
        ("not_reached = 'half'", 'not_reached: \'half\' is not accepted here, only "pro rata" or "nothing"'),
        ("total = -1", "total: -1 is not accepted here, only a number from 0 on"),
        ("total = nan", "total: nan is not accepted here"),
        ("minutes = 0", "minutes: 0 is not accepted here, only a number above 0"),
        ("points = 3", "points: 3 is not accepted here, only a table"),
        ("[points]\nCUT = 'x'", "points.CUT: 'x' is not accepted here, only a number from 0 on"),
        ("[points]\nCUTS = 1", "points.CUTS: 'CUTS' is no property and no chapter; chapters are LOOP, TOOL"),
        ("[points]\nCUT-99 = 1", "points.CUT-99: 'CUT-99' is no property"),
        ("[points]\nCUT = 1\nCUT-01 = 2", "points.CUT: 1 is less than what its properties are worth"),
        ("[points]\ndefault = 0", "points: nothing that is judged is worth a point"),
        ("[visibility]\nCUT = 'secret'", 'visibility.CUT: \'secret\' is not accepted here, only "visible", '),
        ("[requires]\nCUT = 'LOOP'", "requires.CUT: 'LOOP' is not accepted here, only a list of properties"),
        ("[requires]\nCUT = ['X']", "requires.CUT: 'X' is no property and no chapter"),
        ("[requires]\nCUT-01 = ['READ-02']", "requires: goes round in a circle: "),
        ("[hints]\nCUT = 3", "hints.CUT: 3 is not accepted here, only a text"),
        ("[hints]\nshow = 'no'", "hints.show: 'no' is not accepted here, only true or false"),
        ("only = ['CUT', 3]", "only: a list is not accepted here, only a list of properties and chapters"),
        ("x = (", "not TOML: "),
    ],
)  # fmt: skip
def test_what_is_not_accepted_is_named(tmp_path, text, words):
    """One line: the file, the key, what stands there, what would do."""
    with pytest.raises(BadCall) as raised:
        planned(tmp_path, text)
    assert str(raised.value).startswith(f"{tmp_path / 'rubric.toml'}: {words}")
    assert "\n" not in str(raised.value)


def test_a_missing_or_unreadable_rubric_is_one_line(tmp_path):
    """A file that is not there, and one that is no text."""
    with pytest.raises(BadCall, match=r"no\.toml: cannot be read, No such file"):
        rubrics.read(str(tmp_path / "no.toml"))
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadCall, match=r"bytes\.toml: not TOML"):
        rubrics.read(str(tmp_path / "bytes.toml"))


# ---- the secret seed ----------------------------------------------------------------------

SECRET = "a secret of more than sixteen"


def test_a_secret_seed_decides_the_draws_and_is_never_shown(tmp_path):
    """Text or file, it is the same seed; neither the rubric's text nor its digest tells it."""
    (tmp_path / "seed.txt").write_text(f"{SECRET}\n")
    one, two = read(tmp_path, f"secret_seed = '{SECRET}'"), read(tmp_path, "secret_seed_file = 'seed.txt'")
    assert one == two
    assert one.seed is None
    assert one.number() == two.number() != read(tmp_path, "secret_seed = 'another one of sixteen'").number()
    assert SECRET not in repr(one)
    assert str(one.number()) not in repr(one)
    assert one.digest == read(tmp_path, "").digest
    assert len(one.seed_digest()) == 12


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("secret_seed = 'short-secret'", "secret_seed: too short to stay secret"),
        ("secret_seed = 123456789", "secret_seed: here should be a text, not a number"),
        ("secret_seed_file = 'none.txt'", "secret_seed_file: "),
        ("seed = 1\nsecret_seed = '123456789 123456789'", "seed and secret_seed: only one of them can hold"),
    ],
)
def test_a_secret_that_does_not_do_is_refused_without_showing_it(tmp_path, text, words):
    """The message names the key and never the value."""
    with pytest.raises(BadCall) as raised:
        read(tmp_path, text)
    assert words in str(raised.value)
    assert "short-secret" not in str(raised.value)
    assert "123456789" not in str(raised.value)


# ---- points -------------------------------------------------------------------------------


def test_a_chapter_shares_its_points(tmp_path):
    """Properties with points of their own are served first; `default` is for everything else."""
    made = planned(tmp_path, 'only = ["CUT-01", "CUT-02", "CUT-03", "HELP"]\n[points]\ndefault = 2\nCUT = 10\nCUT-02 = 4')
    judged, score, most = scored(made, CUT_01=FAILS)
    assert {id_: one.max_points for id_, one in judged.items()} == {"HELP-01": 2, "CUT-01": 3, "CUT-02": 4, "CUT-03": 3}
    assert (score, most) == (9, 12)


def test_what_is_not_reached_is_worth_its_chapters_share(tmp_path):
    """One fault costs once: pro rata by what else the chapter earned, or nothing, as the rubric says."""
    told = {"CUT_04": FAILS, "CUT_05": waits("CUT-04")}
    judged, score, most = scored(planned(tmp_path, CUTS), **told)
    assert (judged["CUT-05"].points, score, most) == (0.75, 3.75, 5)
    judged, score, most = scored(planned(tmp_path, f"{CUTS}not_reached = 'nothing'"), **told)
    assert (judged["CUT-05"].points, score, most) == (0, 3, 5)


def test_a_chapter_of_which_nothing_was_reached_is_worth_nothing(tmp_path):
    """Where nobody knows anything of a chapter, there is no share to go by."""
    made = planned(tmp_path, 'only = ["LOOP-01", "LOOP-03", "CUT-01"]')
    _, score, most = scored(made, LOOP_01=FAILS, LOOP_03=waits("LOOP-01"), CUT_01=waits("LOOP-01"))
    assert (score, most) == (0, 3)


def test_only_a_failed_prerequisite_is_made_good(tmp_path):
    """What was not reached because of hangs or of the clock earns nothing."""
    _, score, most = scored(planned(tmp_path, CUTS), CUT_05=f"{NOT_REACHED}: 3 properties hung before this one")
    assert (score, most) == (4, 5)


def test_not_applicable_is_left_out_and_errors_are_not(tmp_path):
    """A choice of the harness costs nothing; a fault of ours earns nothing until it is mended."""
    judged, score, most = scored(planned(tmp_path, CUTS), CUT_02=NOT_APPLICABLE, CUT_03=f"{ERROR}: oh")
    assert (judged["CUT-02"].max_points, judged["CUT-03"].max_points) == (0, 1)
    assert (score, most) == (3, 4)


def test_a_total_scales_everything(tmp_path):
    """Whatever is left out, a perfect submission has the total."""
    made = planned(tmp_path, f"{CUTS}total = 100\n")
    assert scored(made)[1:] == (100, 100)
    assert scored(made, CUT_02=NOT_APPLICABLE)[1:] == (100, 100)
    judged, score, _ = scored(made, CUT_01=FAILS)
    assert (score, judged["CUT-02"].points) == (80, 20)


def test_points_add_up_without_errors_of_rounding(tmp_path):
    """Thirds of a point make whole ones."""
    made = planned(tmp_path, 'only = ["CUT-01", "CUT-02", "CUT-03"]\n[points]\nCUT = 1')
    judged, score, most = scored(made)
    assert (score, most, judged["CUT-01"].points) == (1, 1, 0.3333)


def test_tiers_that_do_not_count_cost_nothing(tmp_path):
    """A later tier is judged and shown; neither its failures nor what waits for them takes points."""
    later = next(id_ for id_, prop in KNOWN.items() if prop.chapter == "CUT" and prop.tier == PRINCIPLE)
    made = planned(tmp_path, f'only = ["CUT-01", "CUT-02", "{later}"]\ntiers = ["principle"]')
    assert scored(made)[2] == 1
    made = planned(tmp_path, f'only = ["CUT-01", "CUT-02", "{later}"]\ntiers = ["course"]')
    assert later not in made.ids
    made = planned(tmp_path, 'only = ["CUT"]\ntiers = ["course", "field"]')
    told = {later.replace("-", "_"): FAILS, "CUT_02": waits(later)}
    judged, score, most = scored(made, **told)
    assert judged[later].max_points == judged["CUT-02"].max_points == 0
    assert score == most


def test_a_stronger_reading_that_does_not_count_costs_nothing(tmp_path):
    """Where the course's reading holds, a failure of a later one takes no point."""
    made = planned(tmp_path, 'only = ["LOOP-06"]\ntiers = ["course", "field"]')
    failing = Verdict("LOOP-06", "principle", FAILS, "the stronger reading")
    assert points([failing], made)[1:] == (1, 1)
    assert points([dataclasses.replace(failing, tier="course")], made)[1:] == (0, 1)


def test_what_the_rubric_requires_is_not_reached(tmp_path):
    """A failure takes with it what the rubric makes depend on it, through others, too."""
    made = planned(tmp_path, f'{CUTS}not_reached = "nothing"\n[requires]\nCUT-03 = ["CUT-02"]\nCUT-04 = ["CUT-03"]')
    judged, score, _ = scored(made, CUT_02=FAILS)
    assert score == 2
    for id_ in ("CUT-03", "CUT-04"):
        assert (judged[id_].verdict, judged[id_].message) == (NOT_REACHED, "CUT-02 fails, and this depends on it")
    assert scored(made, CUT_05=FAILS)[1] == 4


def test_a_chapter_may_require_one_of_its_own(tmp_path):
    """Neither the property itself nor what it comes after waits for it."""
    made = planned(tmp_path, f'{CUTS}not_reached = "nothing"\n[requires]\nCUT = ["CUT-03"]')
    judged, score, _ = scored(made, CUT_03=FAILS)
    assert (judged["CUT-03"].verdict, judged["CUT-02"].verdict, judged["CUT-04"].verdict) == (FAILS, HOLDS, NOT_REACHED)
    assert score == sum(one.verdict == HOLDS for one in judged.values()) < 4


def test_visibility_and_hints(tmp_path):
    """By id, by chapter, by default; a hint of the rubric's own, or none."""
    made = planned(tmp_path, 'only = ["CUT-01", "CUT-04", "HELP"]\n[visibility]\ndefault = "hidden"\nCUT = "visible"\n'
                             'CUT-04 = "after_due_date"\n[hints]\nCUT-04 = "Bytes."')  # fmt: skip
    judged, *_ = scored(made, CUT_04=FAILS, CUT_01=FAILS)
    assert {id_: one.visibility for id_, one in judged.items()} == {
        "HELP-01": "hidden", "CUT-01": "visible", "CUT-04": "after_due_date",
    }  # fmt: skip
    assert judged["CUT-04"].hint == "Bytes."
    assert judged["CUT-01"].hint == KNOWN["CUT-01"].hint != ""
    shown = Counterexample("CUT-04", "course", 0, {}, "Cut()", "A claim.", "m", hint="the suite's")
    failing = Verdict("CUT-04", "course", FAILS, "m", shown)
    for text, hint in (("show = false", ""), ('CUT = "Mine."', "Mine.")):
        (judged,), *_ = points([failing], planned(tmp_path, f"[hints]\n{text}"))
        assert judged.hint == judged.counterexample["hint"] == hint


# ---- sets ---------------------------------------------------------------------------------


def test_the_newest_set_is_what_the_registry_has():
    """Each property is in it with its version. A property that changes gets a new version and a new set."""
    newest = sets.pinned(sets.names()[-1])
    assert newest == {id_: prop.version for id_, prop in KNOWN.items()}


def test_every_set_pins_versions_of_known_ids():
    """No set is empty, and all of them pin whole numbers from 1 on."""
    for name in sets.names():
        assert sets.pinned(name)
        assert all(version >= 1 for version in sets.pinned(name).values())


def test_a_pinned_set_does_not_see_newer_properties():
    """What a later suite adds changes no grade of a course that pinned its set."""
    newer = dataclasses.replace(KNOWN["CUT-01"], id="CUT-98")
    grown = {**KNOWN, "CUT-98": newer}
    assert sets.chosen("2026.1", grown, COURSE) == sets.chosen("2026.1", KNOWN, COURSE)
    assert "CUT-98" in sets.chosen("", grown, COURSE)


def test_a_property_that_moved_on_is_refused():
    """Judging by another version than the pinned one would change grades silently."""
    moved = {**KNOWN, "CUT-04": dataclasses.replace(KNOWN["CUT-04"], version=2)}
    with pytest.raises(ValueError, match=r"the set 2026\.1 pins CUT-04 at version 1, and harness-props \S+ has version 2"):
        sets.chosen("2026.1", moved, COURSE)
    gone = {id_: prop for id_, prop in KNOWN.items() if id_ != "CUT-04"}
    with pytest.raises(ValueError, match=r"has it no more; use the release that the course began with"):
        sets.chosen("2026.1", gone, COURSE)
    assert sets.chosen("", moved, COURSE)


@pytest.mark.parametrize("tier", list(Tier))
def test_a_set_is_judged_up_to_a_tier(tier):
    """In the catalogue's order, nothing above the tier."""
    ids = sets.chosen(sets.names()[-1], KNOWN, tier)
    assert ids == tuple(id_ for id_, prop in KNOWN.items() if prop.tier <= tier)
    assert len(ids) == len(KNOWN) or tier < FIELD
