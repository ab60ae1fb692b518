"""What was handed in: names, nested folders, leftovers, archives that are traps."""

import io
import os
import stat
import zipfile
from pathlib import Path

import pytest

from grading.batch import trees
from grading.batch.submissions import Class, collect, digest
from grading.leave import BadCall

TEXT = "x = 1\n"


def made(folder: Path, *paths: str) -> Path:
    for path in paths:
        there = folder / path
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_text(TEXT)
    return folder


def packed(path: Path, entries: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in entries.items():
            file.writestr(name, text)
    return path


def paths(found: Class) -> dict[str, str]:
    return {one.student: one.path for one in found.submissions}


def problems(found: Class) -> dict[str, str]:
    return {one.student: one.problem for one in found.submissions if one.problem}


def test_files_and_folders_are_students(tmp_path):
    """The name is the file's or the folder's, and a folder that is alone in another is looked into."""
    made(tmp_path, "ada.py", "bob/harness.py", "cy/cy-main/harness.py", "dee/src/harness.py", "dee/README.md")
    assert paths(collect(str(tmp_path))) == {
        "ada": "ada.py", "bob": "bob/harness.py", "cy": "cy/cy-main/harness.py", "dee": "dee/src/harness.py",
    }  # fmt: skip


def test_what_is_alike_has_one_content_whatever_it_is_called(tmp_path):
    """A file and a folder with the same harness are the same work; another text is another."""
    made(tmp_path, "ada.py", "bob/bob/harness.py", "cy/harness.py", "cy/more.py")
    (tmp_path / "dee.py").write_text("x = 2\n")
    content = {one.student: one.content for one in collect(str(tmp_path)).submissions}
    assert content["ada"] == content["bob"]
    assert len(set(content.values())) == 3


def test_a_digest_does_not_run_names_and_texts_together():
    """Where a name ends and a text begins is part of the digest, and so is which file is judged."""
    assert len({digest({"a": b"bc"}, "a"), digest({"ab": b"c"}, "a"), digest({"ab": b"c"}, "ab"),
                digest({"a": b"", "bc": b""}, "a")}) == 4  # fmt: skip


def test_leftovers_of_systems_are_no_submissions(tmp_path):
    """What macOS, editors and Python leave behind is neither a student nor a file of one."""
    made(tmp_path, "__MACOSX/ada.py", "._ada.py", ".DS_Store", "ada/._harness.py", "ada/harness.py",
         "ada/__pycache__/harness.pyc", "ada/.git/config")  # fmt: skip
    found = collect(str(tmp_path))
    assert paths(found) == {"ada": "ada/harness.py"}
    assert list(found.submissions[0].files) == ["harness.py"]
    assert not found.skipped


def test_another_file_name(tmp_path):
    """--file-name takes a name or a pattern; the file that lies nearest to the top is meant."""
    made(tmp_path, "ada/main.py", "bob/loop_v2.py", "bob/old/loop_v1.py", "cy/harness.py")
    assert paths(collect(str(tmp_path), "main.py"))["ada"] == "ada/main.py"
    found = collect(str(tmp_path), "loop_*.py")
    assert paths(found)["bob"] == "bob/loop_v2.py"
    assert problems(found) == {
        "ada": "ada: there is no loop_*.py in it; it holds main.py (--file-name NAME is for another name)",
        "cy": "cy: there is no loop_*.py in it; it holds harness.py (--file-name NAME is for another name)",
    }


def test_which_of_two_is_not_guessed(tmp_path):
    """Two files that could both be meant are named, and the submission is not judged."""
    made(tmp_path, "ada/a/harness.py", "ada/b/harness.py")
    assert "which of these is the harness: a/harness.py, b/harness.py?" in problems(collect(str(tmp_path)))["ada"]


def test_a_folder_of_two_files_is_one_submission(tmp_path):
    """A folder that is alone among the submissions is one student, however its files are called."""
    made(tmp_path, "submission/main.py", "submission/more.py")
    assert list(problems(collect(str(tmp_path)))) == ["submission"]


def test_what_is_no_submission_is_listed(tmp_path):
    """Other files, links, pipes and empty folders are told with the reason; nothing is dropped."""
    made(tmp_path, "ada.py", "notes.txt")
    (tmp_path / "link.py").symlink_to("/etc/hostname")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "empty").mkdir()
    found = collect(str(tmp_path))
    assert dict(found.skipped) == {
        "notes.txt": "is no Python file, folder or zip", "pipe.py": "is no ordinary file",
        "link.py": "is a link, and links are not followed",
    }  # fmt: skip
    assert problems(found) == {"empty": "empty: there is no file in it that can be read"}


def test_links_and_pipes_inside_a_submission_are_left_out(tmp_path):
    """No file of another student is read through a link, and no pipe makes the grader wait."""
    made(tmp_path, "ada/harness.py", "bob/notes.txt")
    (tmp_path / "bob" / "harness.py").symlink_to(tmp_path / "ada" / "harness.py")
    (tmp_path / "bob" / "folder").symlink_to(tmp_path / "ada")
    os.mkfifo(tmp_path / "bob" / "more.py")
    found = collect(str(tmp_path))
    assert "harness.py (is a link, and links are not followed)" in problems(found)["bob"]
    assert "more.py (is no ordinary file)" in problems(found)["bob"]


# Permissions do not bind root, so as root there is nothing to see here.
@pytest.mark.skipif(os.geteuid() == 0, reason="root can read everything")
def test_what_may_not_be_read_is_said(tmp_path):
    """A file or folder without permission costs its own student alone."""
    made(tmp_path, "ada.py", "bob/harness.py", "cy.py")
    (tmp_path / "ada.py").chmod(0)
    (tmp_path / "bob").chmod(0)
    found = problems(collect(str(tmp_path)))
    (tmp_path / "bob").chmod(0o700)
    assert found == {"ada": "ada.py: cannot be read, Permission denied", "bob": "bob: cannot be listed, Permission denied"}


def test_names_that_clash_are_told_apart(tmp_path):
    """Two entries never become one student."""
    made(tmp_path, "ada.py", "ada/harness.py", "bob.py")
    packed(tmp_path / "ada.zip", {"harness.py": TEXT})
    assert paths(collect(str(tmp_path))) == {
        "ada": "ada/harness.py", "ada.py": "ada.py", "ada.zip": "ada.zip/harness.py", "bob": "bob.py",
    }  # fmt: skip


def test_odd_names_become_text(tmp_path):
    """Bytes that are no UTF-8 are written out, and composed letters have one form."""
    (tmp_path / os.fsdecode(b"a\xff.py")).write_text(TEXT)
    (tmp_path / "re\u0301my.py").write_text(TEXT)
    assert list(paths(collect(str(tmp_path)))) == ["a\\xff", "r\u00e9my"]


def test_too_much_is_refused_for_that_student_alone(tmp_path, monkeypatch):
    """A submission that is too large, or has too many files, is said to be so."""
    made(tmp_path, "ada/harness.py", "bob/harness.py", *(f"bob/{n}.txt" for n in range(5)))
    (tmp_path / "cy.py").write_text("#" * 500)
    monkeypatch.setattr(trees, "MOST_FILES", 4)
    monkeypatch.setattr(trees, "MOST_BYTES", 400)
    found = problems(collect(str(tmp_path)))
    assert found["bob"] == "bob: it holds more than 4 files"
    assert found["cy"].startswith("cy.py: its files are larger than")
    assert "ada" not in found


# ---- globs --------------------------------------------------------------------------------


def test_a_glob_of_harness_files_means_their_folders(tmp_path):
    """`*/harness.py` is a student for each folder, with all that lies in it."""
    made(tmp_path, "ada/harness.py", "ada/more.py", "bob/harness.py", "notes.txt")
    found = collect(f"{tmp_path}/*/harness.py")
    assert paths(found) == {"ada": "ada/harness.py", "bob": "bob/harness.py"}
    assert sorted(found.submissions[0].files) == ["harness.py", "more.py"]


def test_a_glob_over_sections_keeps_equal_names_apart(tmp_path):
    """Two students of one name in two folders are called by their places."""
    made(tmp_path, "one/ada.py", "two/ada.py", "two/bob.py")
    assert paths(collect(f"{tmp_path}/*/*.py")) == {
        "bob": "two/bob.py", "one/ada.py": "one/ada.py", "two/ada.py": "two/ada.py",
    }  # fmt: skip


@pytest.mark.parametrize("where", ["nowhere", "*.py", "empty", "some.txt"])
def test_nothing_to_grade_is_one_line(tmp_path, where):
    """A place without submissions is named, with what would do."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "some.txt").write_text("")
    with pytest.raises(BadCall, match="no submission there; give a folder of files or of folders, a zip, or a glob"):
        collect(str(tmp_path / where))


# ---- archives -----------------------------------------------------------------------------


def test_a_zip_of_a_class(tmp_path):
    """Files, folders and zips in a zip, below a folder that is alone in it; leftovers are none."""
    inner = packed(tmp_path / "i.zip", {"task/harness.py": TEXT}).read_bytes().decode("latin-1")
    path = tmp_path / "class.zip"
    with zipfile.ZipFile(path, "w") as file:
        for name in ("export/ada.py", "export/bob/harness.py", "__MACOSX/export/._ada.py", "export/notes.txt"):
            file.writestr(name, TEXT)
        file.writestr("export/cy.zip", inner.encode("latin-1"))
    found = collect(str(path))
    assert paths(found) == {
        "ada": "export/ada.py", "bob": "export/bob/harness.py", "cy": "export/cy.zip/task/harness.py",
    }  # fmt: skip
    assert len({one.content for one in found.submissions}) == 1
    assert dict(found.skipped) == {"export/notes.txt": "is no Python file, folder or zip"}


def test_a_zip_and_the_folder_it_was_made_of_are_the_same(tmp_path):
    """Contents do not depend on how the work was handed in."""
    folder = made(tmp_path / "class", "ada.py", "bob/harness.py", "bob/more.py")
    entries = {p.relative_to(folder).as_posix(): p.read_text() for p in folder.rglob("*.py")}
    zipped = collect(str(packed(tmp_path / "class.zip", entries)))
    assert zipped.submissions == collect(str(folder)).submissions


@pytest.mark.parametrize("name", ["../evil.py", "/etc/evil.py", "a/../../evil.py", "..\\evil.py", "C:\\evil.py"])
def test_a_zip_that_points_outside_is_refused(tmp_path, name):
    """The entry is named, and nothing of the archive is used; a student's zip costs that student alone."""
    path = packed(tmp_path / "class.zip", {"ada.py": TEXT, name: TEXT})
    with pytest.raises(BadCall, match="points outside the archive"):
        collect(str(path))
    made(tmp_path / "class", "bob.py")
    path.rename(tmp_path / "class" / "eve.zip")
    assert list(problems(collect(str(tmp_path / "class")))) == ["eve"]


def test_a_bomb_is_refused_unread(tmp_path):
    """Megabytes out of kilobytes: one entry, many entries, and one that lies about its size."""
    folder = made(tmp_path / "class", "ada.py")
    packed(folder / "one.zip", {"harness.py": "#" * (trees.MOST_BYTES + 1)})
    packed(folder / "many.zip", {f"{n}.py": "#" * (1 << 20) for n in range(10)})
    lying = io.BytesIO(packed(folder / "lies.zip", {"harness.py": "#" * (trees.MOST_BYTES + 1)}).read_bytes())
    data = lying.getvalue().replace((trees.MOST_BYTES + 1).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    (folder / "lies.zip").write_bytes(data)
    found = problems(collect(str(folder)))
    assert sorted(found) == ["lies", "many", "one"]
    assert found["one"] == found["many"].replace("many", "one") == "one.zip: its files are larger than 8 MiB together"


def test_a_class_that_would_unpack_to_too_much_is_refused(tmp_path, monkeypatch):
    """A whole archive has limits, too."""
    path = packed(tmp_path / "class.zip", {f"{n}.py": TEXT for n in range(5)})
    monkeypatch.setattr(trees, "MOST_ENTRIES", 4)
    with pytest.raises(BadCall, match="more than 4 entries"):
        collect(str(path))


def test_damage_costs_one_student(tmp_path):
    """A broken entry, a link, a locked entry and a file that is no zip are told; the others are judged."""
    path = tmp_path / "class.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("ada.py", TEXT)
        file.writestr("bob.py", "y = 123456\n")
        file.writestr("cy.zip", "no zip")
        link = zipfile.ZipInfo("dee.py")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        file.writestr(link, "/etc/hostname")
    path.write_bytes(path.read_bytes().replace(b"y = 123456\n", b"y = 654321\n"))
    found = collect(str(path))
    assert sorted(problems(found)) == ["bob", "cy"]
    assert "is damaged" in problems(found)["bob"]
    assert dict(found.skipped) == {"dee.py": "is a link, and links are not followed"}


def test_names_in_old_zips_are_read_as_they_were_meant(tmp_path):
    """Some programs write UTF-8 names without saying so."""
    path = packed(tmp_path / "class.zip", {"ad\u00e9.py": TEXT})
    data = bytearray(path.read_bytes())
    for at in (data.find(b"PK\x03\x04") + 6, data.find(b"PK\x01\x02") + 8):
        data[at : at + 2] = b"\x00\x00"
    path.write_bytes(data)
    assert list(paths(collect(str(path)))) == ["ad\u00e9"]
