"""The web of the world: pages about companies, people, places and products, with facts that no other service has."""
