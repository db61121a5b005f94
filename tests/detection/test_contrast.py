"""What two statements visibly differ in."""

from __future__ import annotations

import pytest

from app.detection.contrast import Contrast, contrast, kinds


@pytest.mark.parametrize(
    ("a", "b", "wanted"),
    [
        ("The pass is good until 12 May 2027", "His pass runs out in October 2029", "values"),
        ("Snapshots are taken every 6 hours", "A full copy is made once an hour", "values"),
        ("The pump stops at 40 °C", "At 55 °C the pump shuts itself off", "values"),
        ("The lock gives up after 120 seconds", "It waits two minutes for the lock", "same value"),
        ("The review is on Thursday at 14:30", "Thursdays, half past two: the review", "same value"),
        ("The barn has three doors", "two doors is all the barn has", "values"),
        ("The barn has three doors", "Two windows in the barn", "none"),
        ("The site runs on Node 18", "Upgraded the site's image to Node 22", "values"),
        ("Bram looks at the monthly bill", "Bram called about the yearly report", "none"),
        ("The alarm code is 4823", "Alarm code: 7719", "values"),
        ("Guests may park in the yard", "Nobody parks in the yard", "polarity"),
        ("She doesn't eat fish", "Her usual is the salmon", "polarity"),
        ("Indent with tabs, not spaces", "Two spaces for each level", "polarity"),
        ("Passports in the blue folder, not upstairs", "Renew the passports in May", "none"),
        ("Copies are taken nightly", "Nightly copies hold everything, not just what changed", "none"),
        ("She doesn't eat fish", "No fish for her", "none"),
        ("The hut is green", "The cabin is painted red", "none"),
        ("One tablet at supper", "Give her two tablets with the soup", "values"),
        ("A single coat of varnish will do", "It wants three coats, sanded between", "values"),
        ("One can see the sea from here", "Three cans of paint left", "none"),
        ("The pump is started by hand each morning", "It runs automatically from six", "opposites"),
        ("We own the mower", "Fetched the mower we rent from Lunn's", "opposites"),
        ("Dogs are welcome at the mill", "the mill: dogs strictly forbidden", "opposites"),
        ("The hut is rented out, we own it", "Our own hut", "none"),
        ("The pump is started by hand", "By hand, each morning", "none"),
        ("The van is hired by the day for 90 €", "Bought the van in May for 90 €", "same value"),
        ("", "The cabin is painted red", "none"),
        ("Filters are changed in Mar, Jun, Sep and Dec", "New filters: January, April, July", "values"),
        ("Filters are changed in March and September", "New filters: Sep, Dec", "none"),
        ("Filters are changed in March", "New filters in January", "none"),
        ("We may march in June", "She may go in august company", "none"),
        ("Changed on 3 March and 4 June", "Changed in Jan and Jul", "none"),
    ],
)
def test_what_differs(a: str, b: str, wanted: Contrast) -> None:
    assert contrast(a, b) == wanted
    assert contrast(b, a) == wanted


def test_other_values_count_for_more_than_a_denial() -> None:
    assert contrast("It never runs longer than 5 minutes", "It takes 20 minutes every time") == "values"


def test_bare_numbers_of_a_row_tell_nothing() -> None:
    pair = ("Two beds, north and south", "South bed: 140; burn mouth")
    assert contrast(*pair) == "values"
    assert contrast(*pair, counts=False) == "none"


def test_what_a_row_denies_is_about_its_own_cell() -> None:
    row = "Mill: Contact Ola Brandt; Work repairs; Permit not needed"
    assert contrast(row, "Ola sent the invoice for the mill", counts=False) == "none"
    assert contrast(row, "The mill needs a permit of its own", counts=False) == "polarity"


def test_one_may_deny_what_the_other_affirms_though_both_deny_something() -> None:
    kept = "The press keeps its plates in the cellar, so nobody carries them far"
    assert contrast(kept, "The press no longer has its plates in the cellar") == "polarity"
    assert contrast(kept, "Nobody is let into the cellar alone") == "none"


def test_who_gives_both_answers_tells_of_a_change() -> None:
    assert contrast("The pump is started by hand", "by hand no more, the pump is automatic") == "polarity"
    assert contrast("The pump is started by hand", "from by hand to automatic: the pump") == "none"


def test_who_measures_the_same_shares_a_kind() -> None:
    pairs = {
        ("The ferry takes 40 minutes", "By boat it is an hour"): True,
        ("The ferry takes 40 minutes", "The ferry costs 40 €"): False,
        ("Filters: Mar, Jun", "New filters in January and July"): True,
        ("Filters: Mar, Jun", "New filters in January"): False,
        ("The barn has three doors", "two doors is all the barn has"): True,
        ("The barn has three doors", "Two windows in the barn"): False,
    }
    assert {pair: bool(kinds(pair[0]) & kinds(pair[1])) for pair in pairs} == pairs
    assert kinds("The hut is green") == frozenset()


def test_a_bare_number_of_a_row_measures_nothing() -> None:
    assert kinds("South bed: 140; burn mouth") and not kinds("South bed: 140; burn mouth", counts=False)


def test_the_stamp_that_a_note_is_numbered_by_counts_nothing() -> None:
    assert contrast("20210718164932 Badges make it easier", "20210924134227 Badge levels") == "none"
    assert contrast("The phone is 4915112345678.", "Our phone: 4915118888888.") == "values"
