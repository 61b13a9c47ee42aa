"""Runs at the start of every process of Ray's: on Python 3.11 SkyRL cannot be imported without it."""

import trainer_client.skyrl.compat  # noqa: F401 -- SkyRL needs it
