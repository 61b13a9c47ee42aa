"""The server as a deployment of Ray Serve. `deployment` is what Serve runs, `child` the server process of a replica."""
