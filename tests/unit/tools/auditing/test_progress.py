"""What a person sees while a crawl goes on."""

import sys

import pytest

from fingerpost_tools.auditing import progress


def test_a_pipe_sees_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Where nobody looks, nothing is written."""
    with progress.shown() as shown:
        shown.stage("pages", 3)
        shown.step(3)
    assert capsys.readouterr() == ("", "")


def test_a_terminal_sees_the_stage_and_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line is on stderr, so that a report on stdout stays whole."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with progress.shown() as shown:
        shown.stage("pages", 3)
        shown.step(4)
    out, err = capsys.readouterr()
    assert out == ""
    assert "pages" in err
    assert "1/4" in err
