"""The commands of `env-server`. `env_server.cli` declares their options and imports a command when it runs."""
