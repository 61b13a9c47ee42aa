"""The names and choices of settings by which a foreign file is explained."""

from trainer_client.recipes.grpo.schema.names import (
    LOGGERS,
    is_empty_section,
    is_setting,
    of_its_type,
    sections,
    settings,
)

__all__ = ["LOGGERS", "is_empty_section", "is_setting", "of_its_type", "sections", "settings"]
