"""The mirror: what the notes currently say, project by project, as pages made from active claims."""
