"""A base as rows that say since when and until when they hold: for databases of any kind."""
