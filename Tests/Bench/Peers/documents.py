"""Makes the two documents that are served: 300 bytes and 120 KB, association files both."""

import json
import os
import random
import sys

TEAM = "9JA89QQLNQ"


def rule(number, chance):
    section = chance.choice(["buy", "help", "account", "orders", "store", "learn", "events"])
    letters = "abcdefghijklmnopqrstuvwxyz"
    word = "".join(chance.choice(letters) for _ in range(chance.randint(4, 10)))
    component = {"/": f"/{section}/{word}/*", "comment": f"paths of rule {number}"}
    if chance.random() < 0.3:
        component["?"] = {"articleNumber": "????", "ref": "*"}
    if chance.random() > 0.6:
        component["exclude"] = True
    return component


def document(size):
    chance = random.Random(7)
    components = []
    apps = [f"{TEAM}.com.example.app", f"{TEAM}.com.example.app2"]
    whole = {
        "applinks": {"details": [{"appIDs": apps, "components": components}]},
        "webcredentials": {"apps": apps[:1]},
    }
    while True:
        components.append(rule(len(components), chance))
        if len(json.dumps(whole)) > size - 1:
            components.pop()
            break
    text = json.dumps(whole)
    return text + " " * (size - 1 - len(text)) + "\n"


def main(folder):
    os.makedirs(folder, exist_ok=True)
    for name, size in (("300", 300), ("120k", 120 * 1024)):
        with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
            file.write(document(size))


if __name__ == "__main__":
    main(sys.argv[1])
