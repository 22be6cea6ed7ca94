"""The one safety pass over every question, whatever its grammar.

Collect what could hold of the person (`facts`), see what each drug is and contains (`lineage`),
cross every drug with every fact (`review`). `answering.safety` tells what meets.
"""
