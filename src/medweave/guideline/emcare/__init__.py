"""WHO EmCare as guidelines."""
