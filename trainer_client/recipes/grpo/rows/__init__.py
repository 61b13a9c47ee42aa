"""The rows of a job: read from its files, chosen by difficulty, and given to the trainer in an order."""
