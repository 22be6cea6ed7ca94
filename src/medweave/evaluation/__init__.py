"""Measuring medweave beside baselines: same items, same run, with intervals."""
