"""The pipeline that carries a vault into the store."""
