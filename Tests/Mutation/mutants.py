"""Where a Swift file can be changed by one small thing."""

import re

# What a token becomes. A bound that is off by one, a condition turned round, a part forgotten.
OPERATORS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "&&": "||", "||": "&&", "+": "-", "-": "+", "+=": "-=", "-=": "+=",
}
WORDS = {"true": "false", "false": "true", "min": "max", "max": "min"}


class Mutant:
    """One change: a piece of one line."""

    def __init__(self, line, start, end, text, kind):
        self.line, self.start, self.end, self.text, self.kind = line, start, end, text, kind

    def apply(self, lines):
        changed = list(lines)
        line = changed[self.line]
        changed[self.line] = line[:self.start] + self.text + line[self.end:]
        return changed


def masked(source):
    """The source with comments and the insides of strings as blanks, of the same length."""
    out = list(source)
    index, length = 0, len(source)

    def blank(start, end):
        for position in range(start, min(end, length)):
            if out[position] != "\n":
                out[position] = " "

    while index < length:
        two = source[index:index + 2]
        if two == "//":
            end = source.find("\n", index)
            end = length if end < 0 else end
            blank(index, end)
            index = end
        elif two == "/*":
            end = source.find("*/", index)
            end = length if end < 0 else end + 2
            blank(index, end)
            index = end
        elif source[index] in "\"#" and (opened := re.match(r'(#*)("""|")', source[index:])):
            hashes, quote = opened.groups()
            end = index + len(opened[0])
            depth = 0
            while end < length:
                if source.startswith(quote + hashes, end) and depth == 0:
                    end += len(quote) + len(hashes)
                    break
                if source.startswith("\\" + hashes + "(", end):
                    depth += 1
                    end += 2 + len(hashes)
                    continue
                if depth > 0 and source[end] in "()":
                    depth += 1 if source[end] == "(" else -1
                elif source[end] == "\\" and not hashes:
                    end += 1
                end += 1
            blank(index, end)
            index = end
        else:
            index += 1
    return "".join(out)


def declares(line):
    """Lines on which an operator or a number is no decision."""
    return re.match(
        r"\s*(import|package import|public import|case [^:]*$|@|precondition|assert|func .*where"
        r"|(public |package |private |internal )*(typealias|extension|protocol))", line)


def of(source):
    """Every mutant of a file."""
    lines = masked(source).split("\n")
    found = []
    for number, line in enumerate(lines):
        if declares(line):
            continue
        for token in re.finditer(r"(?<= )(<=|>=|==|!=|&&|\|\||\+=|-=|<|>|\+|-)(?= )", line):
            found.append(Mutant(
                number, token.start(), token.end(), OPERATORS[token[0]], f"`{token[0]}`"))
        for token in re.finditer(r"\b(true|false)\b|\b(min|max)(?=\()", line):
            if "." + token[0] not in line:
                found.append(Mutant(
                    number, token.start(), token.end(), WORDS[token[0]], f"`{token[0]}`"))
        for token in re.finditer(r"(?<![\w.$])(\d+)(?![\w.])", line):
            found.append(Mutant(
                number, token.start(), token.end(), str(int(token[0]) + 1), f"`{token[0]}`"))
        # A statement by itself: an assignment or a call of one line.
        statement = re.match(r"(\s+)((self\.)?[\w.\[\]?]+ [-+|&]?= [^{]+|[\w.]+\([^{]*\))$", line)
        before = lines[number - 1].rstrip() if number else ""
        after = lines[number + 1].strip() if number + 1 < len(lines) else ""
        whole = before.endswith(("{", "}", ";", ":")) or re.match(r"\s+\S.*[\w)\]]$", before)
        if statement and whole and not after.startswith((".", "?", ":", "&&", "||", "+", "-")) \
                and line.count("(") == line.count(")"):
            found.append(Mutant(
                number, len(statement[1]), len(line), "_ = ()", "statement dropped"))
    return found
