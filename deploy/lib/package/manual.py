"""Finishes the man pages that argument-parser's generator wrote: names, paragraphs, exit statuses.

usage: manual.py FOLDER

The generator names pages aasa.app.add.1 and leaves blank lines and indented examples in the text,
which mdoc(7) does not know; man(1) and apropos(1) find aasa-app-add.1.
"""

import os
import re
import sys

EXIT_STATUS = """.Sh EXIT STATUS
.Bl -tag -width 2n
.It 0
Good.
.It 1
Findings, or a failed verdict.
.It 2
Wrong usage.
.It 3
It could not run.
.El
"""


def paragraphs(lines):
    """Blank lines become .Pp, indented blocks literal displays; a leading dot or quote is escaped."""
    literal = False
    for index, line in enumerate(lines):
        if line.startswith("  ") and not literal:
            if not literal:
                yield ".Bd -literal -offset indent"
            literal = True
        if literal and not line.startswith("  "):
            following = next((one for one in lines[index:] if one.strip()), "")
            if line.strip() or not following.startswith("  "):
                literal = False
                yield ".Ed"
        if literal:
            text = line[2:]
            yield text if not text.startswith((".", "'")) else "\\&" + text
        elif not line.strip():
            following = next((one for one in lines[index:] if one.strip()), "")
            if following and not following.startswith((".", "  ")):
                yield ".Pp"
        elif line.startswith("'"):
            yield "\\&" + line
        else:
            # Long lines are legal; sentences on lines of their own are what mdoc expects.
            yield re.sub(r"(?<=[a-z)\]])([.:]) +(?=[A-Z])", r"\1\n", line) if line[0] != "." else line
    if literal:
        yield ".Ed"


def finished(text, names):
    text = re.sub(r'\n\.Sh "EXIT STATUS"\n\.Ex -std.*', "\n", text, flags=re.DOTALL)
    text = text.split("\n.Sh AUTHORS")[0].rstrip("\n")
    text = re.sub(r'^\.Nm "(.*)"$', lambda m: ".Nm " + m.group(1).replace(" ", "-"), text, flags=re.M)
    text = re.sub(r'^\.Nd "(.*?)\.?"$', lambda m: ".Nd " + m.group(1), text, flags=re.M)
    text = re.sub(r"^\.Dt (.*) 1$", lambda m: ".Dt " + m.group(1).replace(".", "-") + " 1", text, flags=re.M)
    head, _, rest = text.partition("\n.Sh DESCRIPTION\n")
    body = "\n".join(paragraphs(rest.split("\n")))
    others = ", ".join(f"\n.Xr {name} 1" for name in names).replace(", \n", " ,\n").strip("\n")
    return f"{head}\n.Sh DESCRIPTION\n{body}\n{EXIT_STATUS}.Sh SEE ALSO\n{others}\n"


def main():
    folder = sys.argv[1]
    pages = sorted(name for name in os.listdir(folder) if name.endswith(".1"))
    commands = [name.removesuffix(".1").replace(".", "-") for name in pages]
    for name, command in zip(pages, commands):
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        os.remove(path)
        if command.endswith("-help"):
            continue
        # Its parent, and its children.
        near = [one for one in commands if one != command and not one.endswith("-help")
                and (one.rpartition("-")[0] == command or one == command.rpartition("-")[0])]
        with open(os.path.join(folder, command + ".1"), "w", encoding="utf-8") as file:
            file.write(finished(text, near or ["aasa"]))


main()
