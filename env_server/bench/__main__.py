"""`python -m env_server.bench`, the same as `env-server bench`."""

import sys

from env_server.cli import app

if __name__ == "__main__":
    app(["bench", *sys.argv[1:]])
