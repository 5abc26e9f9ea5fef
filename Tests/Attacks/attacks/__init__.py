"""Attacks on a running `aasa serve`: security.md section 8, row by row."""
