"""What happens in the world, and when."""
