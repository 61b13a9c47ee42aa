"""GRPO with SkyRL."""
