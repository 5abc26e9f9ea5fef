"""Makes a DocC catalog of the guides.

usage: docs.py FOLDER.docc

Pages stay as they are read in the repository; here links between them become DocC's, and links to
files become words. The first line of the index is the site's root.
"""

import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
INDEX = "deploy/guides/README.md"
# Page of the site → file of the repository, in the order of the index.
PAGES = {
    "First-hour": "deploy/guides/first-hour.md",
    "Moving-in": "deploy/guides/moving-in.md",
    "Teams": "deploy/TEAMS.md",
    "CI": "deploy/guides/ci.md",
    "Tools": "deploy/guides/tools.md",
    "Serving": "deploy/guides/serving.md",
    "When-503": "deploy/guides/when-503.md",
    "Deploy": "deploy/guides/deploy.md",
    "Monitoring": "deploy/guides/monitoring.md",
    "Safari": "deploy/guides/safari.md",
    "Fronts": "deploy/fronts/README.md",
    "Metrics": "deploy/prometheus/METRICS.md",
    "Alerts": "deploy/prometheus/ALERTS.md",
    "Release-day": "deploy/RELEASE-DAY.md",
    "Certificates": "deploy/CERTIFICATES.md",
    "Fleet": "deploy/fleet/README.md",
    "Fleet-size": "deploy/fleet/SIZING.md",
    "Security-model": "deploy/guides/security.md",
    "Rules": "deploy/reference/rules.md",
    "JSON": "deploy/reference/json.md",
    "Measured": "deploy/guides/measured.md",
    "Changelog": "deploy/CHANGELOG.md",
}


def converted(file, text):
    """The page's text for DocC."""
    names = {path: name for name, path in PAGES.items()}
    names[INDEX] = "guides"

    def link(found):
        words, target = found[1], found[2]
        if re.match(r"[a-z]+:|#", target):
            return found[0]
        path, _, part = target.partition("#")
        place = os.path.normpath(os.path.join(os.path.dirname(file), path))
        if place in names:
            # A page is called by its title; what the text calls it is not lost.
            return f"<doc:{names[place]}>" if not part else f"{words} (<doc:{names[place]}>)"
        if not os.path.exists(os.path.join(ROOT, place)):
            sys.exit(f"{file}: {target} does not exist")
        return f"{words} (`{place}`)" if words.strip("`") != os.path.basename(place) else f"`{place}`"

    parts = re.split(r"(^```.*?^```[^\n]*\n)", text, flags=re.M | re.S)
    for index, part in enumerate(parts):
        if part.startswith("```"):
            # Who runs a block is for the tests; a reader sees its language.
            parts[index] = re.sub(r"\A```(\S*)[^\n]*", r"```\1", part)
        else:
            parts[index] = re.sub(r"\[([^\]\[]+)\]\(([^)\s]+)\)", link, part)
    return "".join(parts)


def main(folder):
    os.makedirs(folder)
    missing = [file for file in PAGES.values() if not os.path.exists(os.path.join(ROOT, file))]
    if missing:
        sys.exit(f"docs.py: there is no {', '.join(missing)}")
    for name, file in PAGES.items():
        with open(os.path.join(ROOT, file), encoding="utf-8") as source:
            text = converted(file, source.read())
        with open(os.path.join(folder, name + ".md"), "w", encoding="utf-8") as target:
            target.write(text)
    with open(os.path.join(ROOT, INDEX), encoding="utf-8") as source:
        text = converted(INDEX, source.read())
    title, rest = text.split("\n", 1)
    topics = "".join(f"- <doc:{name}>\n" for name in PAGES)
    with open(os.path.join(folder, "guides.md"), "w", encoding="utf-8") as target:
        target.write(f"{title}\n\n@Metadata {{\n    @TechnologyRoot\n}}\n\nHow aasa is used.\n\n## Overview\n{rest}\n"
                     f"## Topics\n\n{topics}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
