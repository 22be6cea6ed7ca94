"""What papers say, asked for in a verb or near in meaning."""
