"""The agent's deeds and words, as events; `heard` and `conduct` are computed from them."""
