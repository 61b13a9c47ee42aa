"""The process that sends a benchmark's requests and measures the replies."""
