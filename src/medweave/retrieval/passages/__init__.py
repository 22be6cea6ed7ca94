"""What texts say in answer to a question: passages, their sentences, and what ranks them."""
