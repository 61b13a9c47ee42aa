"""Runs code of strangers: in locked-in processes, or in an interpreter that can do nothing but calculate."""
