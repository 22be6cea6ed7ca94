"""Guidelines as FHIR."""
