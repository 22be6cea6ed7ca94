"""Other ways to find what a model is given to read, to be measured beside ours."""
