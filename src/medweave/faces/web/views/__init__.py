"""The page: what a person sees. Each view is filled here and needs no other host."""
