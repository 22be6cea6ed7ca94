"""Which aspect of practical advice a question asks for, learned."""
