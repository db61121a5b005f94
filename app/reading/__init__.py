"""From statements to norms and frames: rules and a dependency parser."""
