"""Turns deploy/CHANGELOG.md (Keep a Changelog) into Debian's changelog form.

usage: changelog.py CHANGELOG.md VERSION DATE      (DATE, RFC 5322, for what is not released yet)
"""

import datetime
import email.utils
import re
import sys


def releases(text):
    """(version, date, [line…]) of each release, newest first."""
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _, body = part.partition("\n")
        version = re.match(r"\[?([^\]\s]+)", title).group(1)
        date = re.search(r"\d{4}-\d{2}-\d{2}", title)
        items = re.findall(r"^[-*] (.*(?:\n  .*)*)", body, flags=re.MULTILINE)
        yield version, date and date.group(), [re.sub(r"\s+", " ", item) for item in items]


def wrapped(item, width=76):
    lines, line = [], "  *"
    for word in item.split():
        if len(line) + 1 + len(word) > width:
            lines.append(line)
            line = "   "
        line += " " + word
    return lines + [line]


def main():
    path, current, date = sys.argv[1:4]
    with open(path, encoding="utf-8") as file:
        found = list(releases(file.read()))
    for version, day, items in found:
        if not items:
            continue
        name = current if version.lower() == "unreleased" else version
        when = date
        if day:
            noon = datetime.datetime.fromisoformat(day + "T12:00:00+00:00")
            when = email.utils.format_datetime(noon)
        print(f"aasa ({name}) unstable; urgency=medium\n")
        for item in items:
            print("\n".join(wrapped(item)))
        print(f"\n -- aasa maintainers <maintainers@aasa.example>  {when}\n")


main()
