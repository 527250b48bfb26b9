"""Files that are there whole or not at all."""

import os
import stat

import pytest

from maxmargin._runtime.files import replacing


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
