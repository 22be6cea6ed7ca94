"""medAL algorithms (ePOCT+) as guidelines."""
