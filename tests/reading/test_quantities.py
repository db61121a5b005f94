"""What is measurable in a text: where it stands, what it is worth, and what is only a name made of digits."""

from __future__ import annotations

from itertools import pairwise
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.reading.quantities import Quantity, quantities, relate
from app.reading.units import UNITS

DAY, WEEK, MONTH, YEAR = 86400.0, 604800.0, 2629800.0, 31557600.0


def only(text: str) -> Quantity:
    (found,) = quantities(text)
    return found


def value(text: str) -> tuple[str, float]:
    q = only(text)
    assert q.low == q.high
    return q.dimension, q.low


@pytest.mark.parametrize(
    ("text", "dimension", "worth"),
    [
        ("60 s", "time", 60), ("1 minute", "time", 60), ("250ms", "time", 0.25), ("1.5 h", "time", 5400),
        ("2 weeks", "time", 2 * WEEK), ("one fortnight", "time", 2 * WEEK), ("3 months", "time", 3 * MONTH),
        ("10 GB", "bytes", 10e9), ("10 GiB", "bytes", 10 * 2**30), ("512 MB", "bytes", 512e6),
        ("100 Mbps", "bitrate", 100e6), ("10 MB/s", "bytes/time", 10e6),
        ("10 MB per second", "bytes/time", 10e6),
        ("5 km", "length", 5000), ("5 m", "length", 5), ("5m", "length", 5), ("12 inches", "length", 0.3048),
        ("10 µm", "length", 1e-5), ("3 yards", "length", 2.7432),
        ("4.82 kg", "mass", 4.82), ("4,82 kg", "mass", 4.82), ("500 mcg", "mass", 5e-7),
        ("12 lb", "mass", 5.443108),
        ("250 ml", "volume", 0.25), ("0.25 l", "volume", 0.25), ("2 cups", "volume", 0.48),
        ("3 m³", "volume", 3000),
        ("2.3 bar", "pressure", 2.3), ("230 kPa", "pressure", 2.3), ("100 W", "power", 100),
        ("9V", "voltage", 9),
        ("12 V", "voltage", 12), ("10A", "current", 10), ("2,000 mAh", "charge", 2), ("80 km/h", "speed", 80),
        ("40 m2", "area", 40), ("2 ha", "area", 20000), ("500 kg/m2", "mass/area", 500),
        ("5 %", "percent", 5),
        ("20 °C", "temperature", 20), ("68 °F", "temperature", 20), ("20 degrees celsius", "temperature", 20),
        ("−5 °C", "temperature", -5), ("-5 °C", "temperature", -5), ("-4°F", "temperature", -20),
    ],
)  # fmt: skip
def test_a_number_with_a_unit_is_worth_its_base_units(text: str, dimension: str, worth: float) -> None:
    assert value(text) == (dimension, pytest.approx(worth, rel=1e-6))


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("1,000", 1000), ("12'500", 12500), ("1k", 1000), ("5K", 5000), ("1.2M", 1.2e6), ("2 M", 2e6),
        ("3 million", 3e6), ("two million", 2e6), ("ten thousand", 10000), ("1.5 billion", 1.5e9),
        ("two dozen", 24),
        ("twenty-five", 25), ("two hundred", 200), ("zero", 0), ("2,90", 2.9), ("1 1/2", 1.5), ("3/4", 0.75),
    ],
)  # fmt: skip
def test_numbers_as_people_write_them(text: str, worth: float) -> None:
    assert value(text) == ("count", worth)


@pytest.mark.parametrize(
    ("text", "dimension", "worth"),
    [
        ("€40", "money:EUR", 40), ("40 €", "money:EUR", 40), ("EUR 40", "money:EUR", 40),
        ("ten euros", "money:EUR", 10),
        ("12,50 €", "money:EUR", 12.5), ("$ 12.50", "money:USD", 12.5), ("£3k", "money:GBP", 3000),
        ("CHF 25", "money:CHF", 25), ("25 CHF", "money:CHF", 25), ("€1.2M", "money:EUR", 1.2e6),
        ("€40 per month", "money:EUR/month", 40), ("$5/month", "money:USD/month", 5),
        ("€10 a week", "money:EUR/week", 10),
        ("$5 monthly", "money:USD/month", 5), ("12 dollars a year", "money:USD/year", 12),
        ("€30 an hour", "money:EUR/hour", 30),
        ("€30/hr", "money:EUR/hour", 30),
    ],
)  # fmt: skip
def test_money(text: str, dimension: str, worth: float) -> None:
    assert value(text) == (dimension, worth)


def test_what_is_paid_per_time_is_one_value_with_its_time() -> None:
    q = only("Rent is €950 per month.")
    assert "Rent is €950 per month."[q.start : q.end] == "€950 per month"


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("19:30", 1170), ("7:30 pm", 1170), ("7.30 pm", 1170), ("7pm", 1140), ("7 a.m.", 420), ("noon", 720),
        ("midnight", 0), ("24:00", 0), ("12 am", 0), ("12:30 am", 30), ("12 pm", 720), ("0:05", 5),
        ("16h30", 990),
    ],
)  # fmt: skip
def test_clock_times(text: str, minutes: float) -> None:
    assert value(text) == ("clock", minutes)


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("half past seven", 450), ("half past 7", 450), ("quarter to nine", 525), ("quarter past twelve", 15),
     ("seven o'clock", 420), ("12 o’clock", 0)],
)  # fmt: skip
def test_spoken_clock_times_leave_the_half_of_the_day_open(text: str, minutes: float) -> None:
    assert value(text) == ("clock12", minutes)


@pytest.mark.parametrize(
    ("text", "said", "minutes"),
    [
        ("The office closes at six.", "six", 360),
        ("Open till six, so hurry.", "six", 360),
        ("Mira gets up at half six.", "half six", 390),
        ("Be home by eleven.", "eleven", 660),
        ("Choir meets at about seven in the gym.", "about seven", 420),
        ("The bus leaves at twelve sharp.", "twelve", 0),
    ],
)
def test_an_hour_may_be_a_word_alone(text: str, said: str, minutes: float) -> None:
    q = only(text)
    assert (q.dimension, q.low, text[q.start : q.end]) == ("clock12", minutes, said)


@pytest.mark.parametrize(
    "text",
    ["At six sites we count birds.", "From two to three tables.", "Divide it by two.", "The crew is six.",
     "Sales are up by ten.", "Growth is capped at six.", "Rows are multiplied by three.", "Six at most."],
)  # fmt: skip
def test_a_number_that_counts_is_no_hour(text: str) -> None:
    assert all(not q.dimension.startswith("clock") for q in quantities(text))


@pytest.mark.parametrize(
    ("text", "worth"),
    [("One request in ten fails.", 10), ("About one in four.", 25), ("one in twenty, say", 5)],
)
def test_one_in_so_many_is_a_share(text: str, worth: float) -> None:
    q = only(text)
    assert q.dimension == "percent" and (q.low + q.high) / 2 == worth


@pytest.mark.parametrize("text", ["One coat in ten minutes.", "One lamp in three rooms.", "Ten in one go."])
def test_one_thing_in_several_others_is_none(text: str) -> None:
    assert all(q.dimension != "percent" for q in quantities(text))


@pytest.mark.parametrize(
    ("text", "worth"),
    [("It takes a full hour.", 3600), ("The lease runs for a whole year.", YEAR), ("an entire month", MONTH)],
)
def test_a_whole_hour_month_or_year_is_one(text: str, worth: float) -> None:
    assert value(text) == ("time", worth)


@pytest.mark.parametrize("text", ["a full day", "a whole week", "an entire morning", "a full tank", "a year"])
def test_a_full_day_may_be_one_of_eight_hours_and_other_wholes_measure_nothing(text: str) -> None:
    assert quantities(text) == ()


@pytest.mark.parametrize(
    ("text", "month_day", "year"),
    [
        ("3 May", 503, None), ("May 3", 503, None), ("3rd of May 2026", 503, 2026),
        ("May 3rd, 2026", 503, 2026),
        ("2026-05-03", 503, 2026), ("3.5.2026", 503, 2026), ("2026-05", 500, 2026), ("May 2026", 500, 2026),
        ("Sunday, 3 May", 503, None), ("1st of June", 601, None), ("the 24th of December", 1224, None),
    ],
)  # fmt: skip
def test_dates(text: str, month_day: int, year: int | None) -> None:
    q = only(text)
    assert (q.dimension, q.low, q.year) == ("date", month_day, year)


@pytest.mark.parametrize("text", ["Only 3 may enter.", "They march 12 km.", "Guests may 5 times a year."])
def test_verbs_that_look_like_months(text: str) -> None:
    assert all(q.dimension != "date" for q in quantities(text))


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [("Monday", 0, 0), ("Mondays", 0, 0), ("Sun", 6, 6), ("Mon-Fri", 0, 4), ("Monday to Friday", 0, 4),
     ("Thursday through Saturday", 3, 5), ("tuesday", 1, 1)],
)  # fmt: skip
def test_weekdays(text: str, first: int, last: int) -> None:
    q = only(text)
    assert (q.dimension, q.low, q.high) == ("weekday", first, last)


@pytest.mark.parametrize("text", ["The sun is out.", "He sat down.", "We wed in spring."])
def test_short_weekdays_need_a_capital(text: str) -> None:
    assert quantities(text) == ()


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("every day", DAY), ("daily", DAY), ("each morning", DAY), ("every other week", 2 * WEEK),
        ("fortnightly", 2 * WEEK), ("every 3 months", 3 * MONTH), ("quarterly", YEAR / 4),
        ("twice a week", WEEK / 2),
        ("3 times a day", DAY / 3), ("3x per week", WEEK / 3), ("three times a month", MONTH / 3),
        ("once a year", YEAR),
        ("every second year", 2 * YEAR), ("every two weeks", 2 * WEEK), ("every 90 minutes", 5400),
        ("hourly", 3600),
    ],
)  # fmt: skip
def test_rhythms(text: str, seconds: float) -> None:
    assert value(text) == ("period", pytest.approx(seconds))


def test_a_day_of_every_month_is_the_day_not_the_rhythm() -> None:
    assert value("the 3rd of each month") == ("monthday", 3)
    assert value("Rent leaves the account on the 5th.") == ("monthday", 5)
    assert value("Rent is due the 5th each month") == ("monthday", 5)


@pytest.mark.parametrize("text", ["the 4th shelf", "the 2nd-floor flat", "the 3rd attempt"])
def test_one_of_several_things_is_no_day(text: str) -> None:
    assert not [q for q in quantities(text) if q.dimension == "monthday"]


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [("3-5 days", 3 * DAY, 5 * DAY), ("3 to 5 days", 3 * DAY, 5 * DAY),
     ("between 3 and 5 days", 3 * DAY, 5 * DAY),
     ("3 – 5", 3, 5), ("5 or 6 eggs", 5, 6), ("10-12k", 10e3, 12e3), ("10k-12k", 10e3, 12e3),
     ("3 to 5 million", 3e6, 5e6)],
)  # fmt: skip
def test_ranges(text: str, low: float, high: float) -> None:
    q = only(text)
    assert (q.low, q.high) == (pytest.approx(low), pytest.approx(high))


@pytest.mark.parametrize(
    "text",
    ["at most 10", "up to 10", "no more than 10", "not more than 10", "less than 10", "fewer than 10",
     "under 10", "below 10",
     "within 10", "max 10", "Max. 10", "maximum of 10", "capped at 10", "the limit is 10", "10 max",
     "10 or less",
     "10 at most", "≤ 10", "< 10", "<= 10"],
)  # fmt: skip
def test_upper_bounds(text: str) -> None:
    q = only(text)
    assert (q.bound, q.low, q.high) == ("max", -inf, 10)


@pytest.mark.parametrize(
    "text",
    ["at least 10", "no less than 10", "no fewer than 10", "not less than 10", "more than 10", "over 10",
     "above 10", "min 10",
     "minimum of 10", "10 or more", "10+", "10 at least", "≥ 10", "> 10", ">= 10"],
)  # fmt: skip
def test_lower_bounds(text: str) -> None:
    q = only(text)
    assert (q.bound, q.low, q.high) == ("min", 10, inf)


@pytest.mark.parametrize("text", ["cache -> 10", "cache => 10", "5 min 10 s"])
def test_arrows_and_minutes_are_no_bounds(text: str) -> None:
    assert quantities(text)[-1].bound == ""


def test_the_words_of_a_bound_belong_to_the_value() -> None:
    text = "The carry-on weighs at most 8 kg."
    assert text[only(text).start : only(text).end] == "at most 8 kg"


@pytest.mark.parametrize(
    "text",
    [
        "about 10",
        "around 10",
        "roughly 10",
        "~10",
        "≈ 10",
        "approx. 10",
        "ca. 10",
        "nearly 10",
        "10 or so",
        "some 10",
    ],
)
def test_roughly(text: str) -> None:
    assert only(text).rough
    assert only(text).low == 10


def test_around_five_is_not_to_the_minute() -> None:
    assert only("around 5pm").rough
    assert not only("5pm").rough


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("1 h 30 min", 5400), ("2 hours and 15 minutes", 8100), ("1h 30m", 5400), ("5 min 30 s", 330),
     ("1 year, 6 months", 1.5 * YEAR),
     ("2½ hours", 9000), ("three and a half hours", 12600), ("half an hour", 1800),
     ("three quarters of an hour", 2700),
     ("an hour and a half", 5400), ("lasts an hour", 3600)],
)  # fmt: skip
def test_a_duration_in_pieces_is_one_value(text: str, seconds: float) -> None:
    assert value(text) == ("time", seconds)


@pytest.mark.parametrize(
    "text",
    ["0087", "007", "0151 2345678", "+44 20 7946 0018", "555-0142", "12-34-56", "1.2.3", "v2.1", "10.0.0.1",
     "4k7", "3rd", "21st",
     "2x", "A4", "B12", "H2O", "5G", "12a", "1080p", "rooms 3,4"],
)  # fmt: skip
def test_names_made_of_digits_measure_nothing(text: str) -> None:
    assert quantities(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "room 3",
        "Node 18",
        "Postgres 14",
        "step 4",
        "page 12",
        "bathroom 2",
        "Python 3.11",
        "Gate 7",
        "In 2022 we moved",
    ],
)
def test_a_number_after_a_name_is_a_label(text: str) -> None:
    assert only(text).label


@pytest.mark.parametrize(
    "text", ["over 20 people", "Only 20 people", "Max 10 people", "About 40 people", "the deadline 5"]
)
def test_a_number_after_a_common_word_is_a_count(text: str) -> None:
    assert not only(text).label


@pytest.mark.parametrize("text", ["100 req/s", "6,000 requests per minute", "360k per hour"])
def test_rates_are_counted_per_second(text: str) -> None:
    assert value(text) == ("rate", pytest.approx(100))


def test_letters_that_fold_to_others_are_read_and_never_fatal() -> None:
    assert [q.dimension for q in quantities("3 Auguſt 2026, every Frıday, 5 Kg")] == [
        "date",
        "weekday",
        "mass",
    ]


def test_a_text_without_digits_or_time_words_says_nothing() -> None:
    assert quantities("The hallway is painted in a warm white.") == ()


@given(st.text(max_size=80))
def test_any_text_gives_ordered_quantities_that_do_not_overlap(text: str) -> None:
    found = quantities(text)
    assert all(0 <= q.start < q.end <= len(text) and q.low <= q.high for q in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


_PIECES = st.sampled_from(
    """3 10 0.5 1,000 07 2026 € $ kg min h GB % °C am pm : - – / to or about at most least every twice a week
    Monday Fri May March 3rd of the past half quarter ten two and k M x ½ ~ < . , ( ) per day noon
    o'clock""".split()
)


@given(st.lists(_PIECES, max_size=14), st.sampled_from(["", " "]))
def test_any_jumble_of_quantity_words_is_read_without_overlap(pieces: list[str], glue: str) -> None:
    text = glue.join(pieces)
    found = quantities(text)
    assert all(0 <= q.start < q.end <= len(text) and q.low <= q.high for q in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize(
    "unit",
    sorted(u for u in UNITS if len(u) > 1 and "_" not in u and u not in ("mi", "pt", "cal", "gr", "mo")),
)
def test_every_unit_of_the_table_is_read_after_a_blank(unit: str) -> None:
    dimension, worth = UNITS[unit]
    assert value(f"7 {unit}") == (dimension, pytest.approx(7 * worth))


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("22 °C", "72 °F", True), ("22 °C", "75 °F", False), ("-20 °C", "-4 °F", True),
        ("2,106 m", "6,909 ft", True), ("2,106 m", "7,100 ft", False),
        ("5 miles", "8 km", True), ("1 mile", "2 km", False),
        ("82 kg", "180 lb", True), ("82 kg", "190 lb", False),
        ("90 minutes", "2 hours", False), ("15 minutes", "a quarter of an hour", True),
        ("2 m", "2.3 m", False), ("900 m", "1 km", False),
    ],
)  # fmt: skip
def test_who_converts_into_another_system_rounds(a: str, b: str, same: bool) -> None:
    (x,), (y,) = quantities(a), quantities(b)
    assert relate(x, y) == relate(y, x) == ("equal" if same else "differ")
