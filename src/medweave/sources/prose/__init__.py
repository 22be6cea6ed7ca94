"""Semantic templates and phrases: what sentences and short texts of sources say."""
