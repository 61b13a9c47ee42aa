"""What the stand-in answers from: the words and links of the offline web."""
