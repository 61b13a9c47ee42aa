"""The Slack workspace of a research house: its members, channels and conversations about the rest of the world."""
