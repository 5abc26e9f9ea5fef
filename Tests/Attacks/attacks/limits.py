"""The limits under attack, read from the sources: an attack that stays below them shows nothing."""

import pathlib
import re

SOURCES = pathlib.Path(__file__).resolve().parents[3] / "Sources" / "AASAServer"
FILES = ("ServerLimits.swift", "Admission/AdmissionLimits.swift", "Admission/ShedLimits.swift")
WORKERS = 2


def limit(name):
    """The default of one limit; durations in seconds."""
    for file in FILES:
        found = re.search(
            rf"package var {name}(?:: \w+)? = (?:\.(\w+)\()?([0-9_]+)",
            (SOURCES / file).read_text())
        if found:
            unit, number = found.groups()
            value = int(number.replace("_", ""))
            return value / 1000 if unit == "milliseconds" else value
    raise KeyError(f"{name} stands in none of {', '.join(FILES)}")


def beyond(cap):
    """So many for all workers that each worker gets more than twice its cap."""
    return WORKERS * max(300, 2 * cap)
