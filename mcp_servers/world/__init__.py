"""One offline world, generated from a seed: a market, companies, news, web pages and a Slack workspace."""
