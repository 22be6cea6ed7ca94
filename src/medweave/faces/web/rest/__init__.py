"""What programs call, below `/api/v1`: the JSON of the commands, field for field."""
