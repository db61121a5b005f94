"""Conflicts: findings grouped, reconciled with the stored ones, and put into words."""
