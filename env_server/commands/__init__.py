"""What each command of `env-server` does; `env_server.cli` declares their options and imports them when they run."""
