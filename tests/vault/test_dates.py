"""Dates and times as people write them."""

from __future__ import annotations

import pytest

from app.vault.dates import as_of_date, daily_date, heading_date, leading_date, leading_time, parse_date
from app.vault.settings import DAILY_FORMATS


@pytest.mark.parametrize(
    "text",
    [
        "2026-08-03", "2026/08/03", "2026_08_03", "2026.08.03", "2026-8-3",
        "3 August 2026",
        "3rd of August 2026", "3 Aug 2026", "3. August 2026", "Aug 3, 2026", "August 3rd, 2026", "3.8.2026",
        "03.08.2026",
        "Mon 3 August 2026", "Monday, 3 August 2026", "2026-08-03T10:15:00Z", "2026-08-03 10:15",
        "2026-08-03T10:15:00+02:00", "[[2026-08-03]]", " 2026-08-03 ", "the 3rd of August 2026", "3 AUG 2026",
    ],
)  # fmt: skip
def test_reads_the_third_of_august(text: str) -> None:
    assert parse_date(text) == "2026-08-03"


@pytest.mark.parametrize(
    "text",
    [
        "3/8/2026",
        "2026-13-01",
        "2026-02-30",
        "soon",
        "",
        "2026",
        "August 2026",
        "version 2026-08-03 of it",
        "9" * 500,
    ],
)
def test_is_no_certain_date(text: str) -> None:
    assert parse_date(text) is None


def test_slashes_count_where_only_one_reading_is_possible() -> None:
    assert parse_date("23/8/2026") == "2026-08-23"
    assert parse_date("8/23/2026") == "2026-08-23"
    assert parse_date("8/8/2026") == "2026-08-08"


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2025-08-03 paid the rent", "2025-08-03"),
        ("9 March 2026: signed", "2026-03-09"),
        ("(2026-03-01) standup", "2026-03-01"),
        ("Update 2026-05-01: new code is 4411", "2026-05-01"),
        ("2025-05-04 — 5 km with Pim", "2025-05-04"),
        ("Sat 5 April 2025, sorting the papers", "2025-04-05"),
        ("9 March 2026 is the deadline", None),
        ("2026-03-01 to 2026-03-05 holiday", None),
        ("2026-03-01 – 2026-03-05 holiday", None),
        ("expires on 3 August 2026", None),
        ("The freeze starts 2026-11-16", None),
        ("2026-03-01x", None),
    ],
)
def test_the_date_a_statement_opens_with(text: str, date: str | None) -> None:
    found = leading_date(text)
    assert (found[0] if found else None) == date


@pytest.mark.parametrize(
    ("heading", "date"),
    [
        ("2026-03-01", "2026-03-01"),
        ("2026-03-01 Standup", "2026-03-01"),
        ("Standup (2026-03-01)", "2026-03-01"),
        ("Colearning, Nov 5, 2021", "2021-11-05"),
        ("Retro – 3 August 2026", "2026-08-03"),
        ("Peak planning 2026", None),
        ("Freeze until 2026-11-16", None),
        ("", None),
    ],
)
def test_the_day_a_heading_stands_for(heading: str, date: str | None) -> None:
    assert heading_date(heading) == date


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("14:05 customers report", "14:05"),
        ("9.30am: coffee", "09:30"),
        ("9:30 pm call", "21:30"),
        ("12:10 am alarm", "00:10"),
        ("[10:20] pool is exhausted", "10:20"),
        ("3pm dentist", "15:00"),
        ("9.30 euro for the lot", None),
        ("14:05 is when the train leaves", None),
        ("10:00-12:00 meeting", None),
        ("25:48 for five", None),
        ("Meeting at 14:05", None),
    ],
)
def test_the_time_a_log_line_opens_with(text: str, time: str | None) -> None:
    assert leading_time(text) == time


@pytest.mark.parametrize(
    ("path", "formats", "date"),
    [
        ("daily/2026-03-01", DAILY_FORMATS, "2026-03-01"),
        ("journals/2026_03_01", DAILY_FORMATS, "2026-03-01"),
        ("20260301", DAILY_FORMATS, "2026-03-01"),
        ("2026/03/01-Sun", ("YYYY/MM/DD-ddd",), "2026-03-01"),
        ("log/2026/03-March/2026-03-01-Sunday", ("YYYY/MM-MMMM/YYYY-MM-DD-dddd",), "2026-03-01"),
        ("Day 1st March 2026", ("[Day] Do MMMM YYYY",), "2026-03-01"),
        ("26-03-01", ("YY-MM-DD",), "2026-03-01"),
        ("meetings/2026-05-19 Vandersteen quarterly", DAILY_FORMATS, "2026-05-19"),
        ("Standup 2026-05-19", DAILY_FORMATS, "2026-05-19"),
        ("2026-W12", ("gggg-[W]ww",), None),
        ("2026-02-30", DAILY_FORMATS, None),
        ("Peak planning 2026", DAILY_FORMATS, None),
        ("anything", ("[",), None),
    ],
)
def test_the_day_a_name_stands_for(path: str, formats: tuple[str, ...], date: str | None) -> None:
    assert daily_date(path, formats) == date


def test_a_repeated_year_in_a_format_has_to_agree() -> None:
    assert daily_date("2026/d20260301", ("YYYY/[d]YYYYMMDD",)) == "2026-03-01"
    assert daily_date("2025/d20260301", ("YYYY/[d]YYYYMMDD",)) is None


def test_as_of() -> None:
    assert as_of_date("As of 30 October 2025 our mail leaves through Postmark") == "2025-10-30"
    assert as_of_date("Our mail leaves through Postmark") is None
