"""`medweave serve`: the page, and what programs call, on one port."""
