"""Files that are there whole or not at all."""

import os
import stat
import subprocess
import sys
import threading

import pytest

from maxmargin._runtime.files import all_together, replacing


def test_the_file_takes_its_place_only_at_the_end(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with replacing(path) as draft:
        draft.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_failure_leaves_what_was_there(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")

    def fail():
        with replacing(path) as draft:
            draft.write_text("ne")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_missing_folder_is_named(tmp_path):
    with (
        pytest.raises(FileNotFoundError, match=r"There is no such folder: .*nowhere"),
        replacing(tmp_path / "nowhere" / "a.txt"),
    ):
        pass


@pytest.mark.skipif(os.name != "posix", reason="links and pipes of POSIX")
def test_links_stay_links_and_devices_are_written_to(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "link").symlink_to("a.txt")
    with replacing(tmp_path / "link") as draft:
        draft.write_text("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "a.txt").read_text() == "new"
    with replacing(os.devnull) as draft:
        draft.write_text("nothing")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


NAMES = ("a.txt", "b.txt", "c.txt")


def write_three(folder, fails=None, error=None):
    with all_together():
        for name in NAMES:
            with replacing(folder / name) as draft:
                draft.write_text("new")
                if name == fails:
                    raise error
        if fails == "the end":
            raise error


def contents(folder):
    return {name: (folder / name).read_text() for name in sorted(os.listdir(folder))}


def test_files_take_their_places_together(tmp_path):
    (tmp_path / "b.txt").write_text("old")
    write_three(tmp_path)
    assert contents(tmp_path) == dict.fromkeys(NAMES, "new")


@pytest.mark.parametrize("fails", [*NAMES, "the end"])
@pytest.mark.parametrize("error", [OSError(28, "No space left"), KeyboardInterrupt()], ids=repr)
def test_all_files_or_none(tmp_path, fails, error):
    (tmp_path / "b.txt").write_text("old")
    with pytest.raises(type(error)):
        write_three(tmp_path, fails, error)
    assert contents(tmp_path) == {"b.txt": "old"}


@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
@pytest.mark.parametrize("fails", NAMES)
def test_a_place_that_cannot_be_taken_leaves_all_others(tmp_path, monkeypatch, fails, links):
    (tmp_path / "a.txt").write_text("old")
    replace = os.replace

    def failing(source, target):
        if target.name == fails and source.read_text() == "new":
            raise PermissionError(13, "Permission denied", str(source))
        replace(source, target)

    def no_links(*paths):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "replace", failing)
    if not links:
        monkeypatch.setattr(os, "link", no_links)
    with pytest.raises(PermissionError, match=f"Permission denied: '.*/{fails}'"):
        write_three(tmp_path)
    assert contents(tmp_path) == {"a.txt": "old"}


# -- what a killed process leaves ----------------------------------------------------------

WRITER = """
import sys, time
from maxmargin._runtime.files import all_together, replacing
with all_together():
    for name in sys.argv[1:]:
        with replacing(name) as draft:
            draft.write_text("half")
    print("there", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def writer(tmp_path):
    """A process that has written drafts of two files, and waits."""
    names = [str(tmp_path / name) for name in NAMES[:2]]
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, *names], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "there\n"
        yield process
        process.kill()


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")
def test_the_next_writer_removes_the_drafts_of_one_that_was_killed(tmp_path, writer):
    writer.kill()
    writer.wait()
    assert len(list(tmp_path.glob(".*.draft"))) == 2
    with replacing(tmp_path / "a.txt") as draft:
        draft.write_text("new")
    (left,) = tmp_path.glob(".*.draft")
    assert left.name.startswith(".b.txt.")
    write_three(tmp_path)
    assert contents(tmp_path) == dict.fromkeys(NAMES, "new")


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")
def test_the_drafts_of_one_that_still_writes_stay(tmp_path, writer):
    write_three(tmp_path)
    drafts = list(tmp_path.glob(".*.draft"))
    assert sorted(path.read_text() for path in drafts) == ["half", "half"]


def test_files_of_other_names_are_not_taken_for_drafts(tmp_path):
    others = [".a.txt.draft", ".a.txt.12345678", "a.txt.12345678.draft", ".b.txt.12345678.draft"]
    for name in others:
        (tmp_path / name).write_text("mine")
    (tmp_path / ".a.txt.abcdef01.draft").symlink_to(tmp_path / "b.txt")  # ours are no links
    write_three(tmp_path)
    for name in others[:3]:
        assert (tmp_path / name).read_text() == "mine"
    assert (tmp_path / "b.txt").read_text() == "new"


def test_two_threads_write_the_same_file(tmp_path):
    def write(number):
        for _ in range(50):
            with replacing(tmp_path / "a.txt") as draft:
                draft.write_text(str(number))

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert os.listdir(tmp_path) == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() in "0123"
