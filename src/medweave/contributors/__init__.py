"""What answers a question: a file for each contributor, which retrieves, infers and says."""
