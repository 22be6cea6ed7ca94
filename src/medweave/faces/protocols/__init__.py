"""What other programs speak to medweave: MCP, the chat of OpenAI, CDS Hooks."""
