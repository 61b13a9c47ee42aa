"""Episodes for verifiers 0.4: `environment` plays them, `tools` is the tool server that verifiers runs."""
