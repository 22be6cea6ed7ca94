"""Where the rules lie that several modules of understanding read: see `language.data.rules_in`."""

CASE_RULES = ("understanding", "rules", "case_texts.*.yaml")
CLAUSE_RULES = ("understanding", "descriptions", "rules", "clauses.yaml")
CONVERSATION_RULES = ("understanding", "rules", "conversation.yaml")
FORM_RULES = ("understanding", "rules", "forms.*.yaml")
GRAPH_RULES = ("understanding", "rules", "graph_questions.*.yaml")
INTENT_RULES = ("understanding", "intents", "rules", "intents.*.yaml")
LETTER_RULES = ("understanding", "rules", "letter_questions.yaml")
PATIENT_RULES = ("understanding", "rules", "patient.*.yaml")
