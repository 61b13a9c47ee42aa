"""`python -m env_server.bench`."""

import typer

from env_server.bench.command import bench

if __name__ == "__main__":
    typer.run(bench)
