"""How rows are read that name the type of either end."""

MAPPING = """
name: rows
kind: triples
language: en
evidence_class: database
parts:
  - predicate_column: predicate
    subject: {name: subject, concept: subject_type}
    object: {name: object, concept: object_type}
"""
