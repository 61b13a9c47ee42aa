"""What templates show, as plain data."""
