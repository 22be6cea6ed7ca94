"""Pictures as SVG or Mermaid that load nothing."""
