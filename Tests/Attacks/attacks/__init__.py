"""Attacks on a running `aasa serve`: facts/security.md section 8, row by row."""
