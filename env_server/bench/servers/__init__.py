"""The servers that a benchmark measures: this project's server, a bare echo, a peer, and a model."""
