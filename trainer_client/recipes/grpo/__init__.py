"""GRPO with SkyRL: the command is `train`, and `dry_run` checks a job before it runs."""
