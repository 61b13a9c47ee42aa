"""Users played by language models, over any endpoint that supports the OpenAI chat protocol."""
