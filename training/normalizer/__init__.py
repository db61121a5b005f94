"""How the language model's adapter for reading statements was made: data, training, export."""
