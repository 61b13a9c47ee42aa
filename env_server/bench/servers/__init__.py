"""The servers that a benchmark measures: ours, a bare echo, a peer, and a model."""
