"""Who is in the world: companies, their names, industries and products."""
