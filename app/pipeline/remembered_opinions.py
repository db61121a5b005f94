"""Earlier answers of the person's models, for runs that have no time to ask them again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.models.files import lacking
from app.models.host import ModelHost
from app.models.setup import chosen
from app.pipeline.stage_list import Models
from app.store.store import Store


def recalled(stored: Mapping[str, Any], store: Store) -> Models:
    """For a pipeline that does not read on: alarms and norms from the store, without starting a model.
    Nothing if the person chose the rules alone. `stored` are their settings."""
    setup = chosen(stored)
    return Models() if setup is None or lacking(setup) else Models.of(ModelHost(setup), store)
