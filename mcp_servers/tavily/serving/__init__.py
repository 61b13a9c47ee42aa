"""The data behind the stand-in: the words and links of the offline web."""
