"""The data behind the stand-in: the rows of the offline workspace."""
