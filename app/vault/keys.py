"""Frontmatter and field keys that keep books about a note and say nothing about the world."""

from __future__ import annotations

BOOKKEEPING = frozenset(
    """tags tag aliases alias cssclass cssclasses date created created_at createdat created-at
    creation-date date-created date_created datecreated updated updated_at updatedat updated-at
    modified modified_at date-modified date_modified datemodified last-modified last_modified lastmod
    mtime ctime day time publish published draft title id uid uuid zettel template templates templater
    layout permalink slug status type trust project category categories class banner banner_y banner_x
    banner_icon cover image thumbnail icon color sticker author authors url source_url link links up
    down prev next parent related kanban-plugin excalidraw-plugin obsidianuimode obsidianeditingmode
    position sort order sr-due sr-interval sr-ease dg-publish dg-home enableToc toc description lang
    language_code nav_order weight hidden searchable share_link share_updated notetype note-type
    note_type decision_target decision_field constraint_target constraint_kind requirement_target
    requirement_kind parameter_scope parameter_name material_target material_slot component_parent
    component_slot result_target result_kind subsystem_name component_name requirement_id superseded_by
    belie""".lower().split()
)
