"""FMP's rows, made from the offline world."""
