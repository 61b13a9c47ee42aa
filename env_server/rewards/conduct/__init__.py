"""What an agent did and said, as events; `heard` and `conduct` are computed from them."""
