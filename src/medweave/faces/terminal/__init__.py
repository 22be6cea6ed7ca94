"""What is printed: answers, assessments, reports."""
