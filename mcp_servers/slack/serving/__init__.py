"""What the stand-in answers from: the rows of the offline workspace."""
