"""How a note holds a statement: only what it asserts can disagree."""

from __future__ import annotations

import pytest

from tests.support.claims_of_notes import norms, says

SENTENCES = {
    "asserted": """
        Told him how it works: a key gets 20 calls a minute.
        We explained the lock to the new cleaner: the alarm code is 7719.
        Won't happen: the limit stays at 40.
        For the record, once more: the deposit is 900 euros.
        We send the mail through SES, after the relay was shut.
        They keep the ladder in the barn, where the van used to be.
        The sauna wants to be kept at 80 °C.
        The tank wants to be over 40 litres.
        They'll take cash at the gate.
        The tenant shall keep the drains clear.
        We claim 40 euros a month for the office.
        The form of claims for travel is in the drawer.
        The boiler pressure is 1.4 bar.
        We keep the spare key under the blue pot.
        The freeze starts on 16 November.
        Backups run every night.
        Staging must not share the production database.
        The lease ends on 31 August 2027.
        Ines owns the billing service.
        We moved the wiki from Confluence to plain files.
        The library is allowed to open on Sundays.
        Correction: the alarm code is 7719.
        The dough wants to be 24 °C.
        The tyre wants to be at 2.3 bar.
        On second thought the deposit is 900 euros.
        The insurance settles claims within 30 days.
        All claims go to Ines.
        The parser expects a comma.
        We will hand over the keys on 3 May.
        Quiet hours start at 22:00.""",
    "planned": """
        I'll repaint the hallway.
        We shall open a second workshop.
        She'll take over the rota.
        We won't renew the lease.
        Told him what comes: we are going to drop the landline.
        Planning to replace the boiler with a heat pump.
        Going to repaint the hallway green.
        I want to learn the cello.
        Mira wants to be a nurse.
        My sister wants to be left alone at 8.
        The client wants to be at the fair.
        Thinking about selling the van.
        Perhaps the archive should live in the attic.
        We hope to open a second workshop.
        Eventually the shed gets a new roof.
        Let's try a smaller oven.
        - [ ] Order new filters for the extractor
        The team will adopt trunk-based releases.
        We intend to drop the landline.""",
    "reported": """
        Told me how it works: a key gets 20 calls, he says.
        The plumber told us how it works: the valve is broken.
        Lena claims 900 euros were paid.
        Ravi says the gearbox needs new oil.
        According to the vet, the cat weighs 5 kg.
        Mum thinks the party is on Saturday.
        The plumber told us the valve is broken.
        Apparently the bakery closes at noon.
        Lena claims the deposit is 900 euros.
        The maker claims 12 hours of battery.
        Tomas claimed the limit is 40.
        Ravi thought the limit is 40.
        The landlord expects the rent on Mondays.
        Mum expects 12 guests.
        People expect the lift to be fixed.
        I heard that the bridge is shut.
        The landlord insists the heating is fine.
        Supposedly the new mayor lives next door.
        Tomas believes the limit is 40.""",
    "asked": """
        For the record, once more: is the deposit 900 euros?
        Is the gate code still 4411?
        Should we keep the old server?
        Who owns the billing service?
        Not sure whether the filter is washable.
        Wondering if the lease can be extended.
        Open question: which bank handles the deposit
        Ask Ravi whether the gearbox needs oil.
        Delivery date to be confirmed.
        Find out if the pool is heated.
        Unclear whether the warranty covers the pump.""",
    "hypothetical": """
        If we sold the van we'd save 200 euros a month.
        We’d save 200 euros if we sold the van.
        If we sold the van we would save 200 euros a month.
        Suppose the cache were on disk.
        What if the office moved to Gent.
        Option B: the database is MySQL.
        The rent would be 1,200 euros.
        For example, the timeout is 30 seconds.
        Imagine the workshop had two doors.
        We could use Redis for the queue.
        In theory the battery lasts 9 hours.
        Scenario 2: the budget is 10k.
        Let's say the deposit is 500 euros.""",
    "past": """
        We had the mail through SES, after the relay was shut.
        They were in the barn, where the van used to be.
        The office used to be in Lyon.
        Originally the limit was 500 requests.
        The old password was swordfish.
        We had a cleaner on Thursdays.
        Back then the rent was 700 euros.
        The school was on Elm Street.
        Previously the tests ran on Jenkins.
        Until recently the gate stood open at night.
        Years ago the house had a well.
        The servers were in the basement.""",
    "logged": """
        - 09:15 The pump reads 3.1 bar.
        Paid the electrician 140 euros.
        Bought 12 seed trays.
        Ran 8 km in 47 minutes.
        Today the kitchen is 19 °C.
        This morning the cellar smelled of gas.
        - [x] Replaced the smoke alarm battery
        Slept 6 hours.
        Met Ines about the budget.
        Planted 40 tulips.
        Yesterday the train was 20 minutes late.""",
}
CASES = [(kind, line.strip()) for kind, lines in SENTENCES.items() for line in lines.strip().splitlines()]


@pytest.mark.parametrize(("standing", "text"), CASES)
def test_standing(standing: str, text: str) -> None:
    assert [norm.standing for norm in norms(says(text, "2026-03-02"))] == [standing]


def test_an_answer_after_its_question_is_asserted() -> None:
    found = norms(says("Is the gate locked? Yes, the gate is locked at night.", "2026-03-02"))
    assert [norm.standing for norm in found] == ["asked", "asserted"]


def test_dated_rows_and_items_are_a_log() -> None:
    rows = "| date | weight |\n|---|---|\n| 2026-03-01 | 71 kg |\n| 2026-03-08 | 70 kg |"
    assert {n.standing for n in norms(says(rows, "Weights"))} == {"logged"}
    assert {n.standing for n in norms(says("- 2026-03-01 meter reads 4711 kWh", "Meter"))} == {"logged"}
