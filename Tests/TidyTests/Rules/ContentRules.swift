/// Words in code that end the process, or hide a debt.
let contentRules = [
    Rule(
        name: "nothing in Sources ends the process",
        why: "a peer must never be able to stop the server (rule 8 of the house)"
    ) { tree in
        let banned = ["fatalError(", "try!", "as!", "abort()"]
        return findings(in: tree.files.filter { $0.target != nil && $0.isSwift }) { line in
            banned.first { containsWord($0, in: line) }.map { "\($0) is not used in Sources" }
        }
    },
    Rule(
        name: "unsafe promises carry their reason",
        why: "the compiler cannot check them, so a reader must be able to"
    ) { tree in
        let promises = [
            "@unchecked Sendable", "nonisolated(unsafe)", "unsafeBitCast(", "unowned(unsafe)",
        ]
        return tree.files.filter { $0.isSwift && $0.target != nil }.flatMap { file -> [Finding] in
            let text = file.swift
            return text.code.enumerated().compactMap { index, line in
                guard let promise = promises.first(where: { line.contains($0) }),
                    !text.hasReason(atLine: index)
                else { return nil }
                return Finding(
                    path: file.path, line: index + 1,
                    message: "\(promise) needs a comment with its reason just above")
            }
        }
    },
    Rule(
        name: "style sheets and scripts are files of their own",
        why: "in a Swift string no tool reads them as what they are"
    ) { tree in
        let marks = ["border-radius:", "@media", "getElementById", "addEventListener"]
        return tree.files.filter { $0.isSwift && $0.target != nil }.flatMap { file in
            file.lines.enumerated().compactMap { index, line in
                marks.first { line.contains($0) }.map {
                    Finding(path: file.path, line: index + 1, message: "\($0) in a Swift file")
                }
            }
        }
    },
    Rule(
        name: "macros of tests make no call of C's with a text or an array",
        why: "where the call is all of the condition, the macro takes its arguments apart, and the "
            + "pointer that Swift made of one is freed before the call"
    ) { tree in
        let names = "[A-Z][A-Z0-9]+_\\w+|dlsym|getpwnam|getgrnam"
        guard
            let call = try? Regex(
                "#(?:expect|require)\\(\\s*(?:try\\s+|!)?(?:\(names))\\([^)]*[\",]")
        else { return [] }
        return tree.files.filter { $0.isSwift && $0.path.hasPrefix("Tests/") }.flatMap { file in
            let code = file.swift.code.joined(separator: "\n")
            return code.matches(of: call).compactMap { match -> Finding? in
                let rest = code[match.range.lowerBound...].drop { $0 != "(" }.dropFirst()
                guard isAllOfIt(rest) else { return nil }
                let line = code[..<match.range.lowerBound].count { $0 == "\n" } + 1
                return Finding(
                    path: file.path, line: line, message: "make the call before, in a let")
            }
        }
    },
    Rule(
        name: "tests compare with expectEqual",
        why: "`#expect(a == b)` takes 20 to 50 ms to compile; there are thousands"
    ) { tree in
        let other = [
            " && ", " || ", " ? ", " ?? ", " as ", " as? ", " == nil", "(nil == ", " == (",
        ]
        return findings(
            in: tree.files.filter { $0.isSwift && $0.path.hasPrefix("Tests/") }
        ) { line in
            let code = line.drop { $0 == " " }
            guard code.hasPrefix("#expect("), code.hasSuffix(")"),
                let sign = code.firstRange(of: " == "),
                !other.contains(where: { code.contains($0) })
            else { return nil }
            // The sign compares all of it, and not what a closure or a call holds.
            let depth = code[..<sign.lowerBound].reduce(0) { depth, character in
                "([{".contains(character)
                    ? depth + 1 : ")]}".contains(character) ? depth - 1 : depth
            }
            return depth == 1 ? "write expectEqual(a, b)" : nil
        }
    },
    Rule(
        name: "every command says its name",
        why: "argument-parser makes a name out of a type by casts that search all conformances of "
            + "the binary: 0.37 M instructions per cast, three per command, at every start"
    ) { tree in
        tree.files.filter { $0.isSwift && $0.target == "aasa" }.flatMap { file in
            file.lines.indices.compactMap { index in
                guard file.lines[index].hasSuffix("CommandConfiguration("),
                    !file.lines.dropFirst(index + 1).prefix(1).contains(where: {
                        $0.contains("commandName:")
                    })
                else { return nil }
                return Finding(
                    path: file.path, line: index + 1, message: "its first argument is commandName:")
            }
        }
    },
    Rule(name: "no debts in comments", why: "a note to come back is never come back to") { tree in
        let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]
        return tree.files.filter { isCode($0) || $0.isMarkdown }.flatMap { file in
            file.lines.enumerated().compactMap { index, line in
                marks.first { containsWord($0, in: String(line)) }.map {
                    Finding(path: file.path, line: index + 1, message: "\($0): do it or file it")
                }
            }
        }
    },
    Rule(
        name: "checks stay on", why: "-Ounchecked and its kin buy nothing here and cost safety"
    ) { tree in
        let flags = ["-Oun" + "checked", "-enforce-exclusivity=un" + "checked"]
        return tree.files.filter { isCode($0) && !$0.path.hasPrefix("Tests/TidyTests/") }
            .flatMap { file in
                file.lines.enumerated().compactMap { index, line in
                    flags.first { line.contains($0) }.map {
                        Finding(path: file.path, line: index + 1, message: "\($0) is not used")
                    }
                }
            }
    },
    Rule(
        name: "no type is named like its target",
        why: "such a name hides the module's, and nothing can be qualified any more"
    ) { tree in
        let kinds = ["struct", "class", "enum", "actor", "protocol", "typealias"]
        return tree.files.filter { $0.isSwift && $0.target != nil }.flatMap { file -> [Finding] in
            let target = file.target ?? ""
            let named =
                file.stem == target
                ? [Finding(path: file.path, message: "a file named like its target")] : []
            return named
                + findings(in: [file]) { line in
                    kinds.contains { containsWord("\($0) \(target)", in: line) }
                        ? "a type named like its target" : nil
                }
        }
    },
]

/// Code that people write and read, as opposed to data.
func isCode(_ file: SourceTree.File) -> Bool {
    if file.isFixture { return false }
    return ["swift", "c", "h", "py", "sh"].contains(file.fileExtension) || file.interpreter != nil
}

/// Findings on the code lines (no strings, no comments) of Swift files.
func findings(
    in files: [SourceTree.File], _ problem: (String) -> String?
) -> [Finding] {
    files.flatMap { file in
        file.swift.code.enumerated().compactMap { index, line in
            problem(line).map { Finding(path: file.path, line: index + 1, message: $0) }
        }
    }
}

/// True when `word` stands in `line` and is not part of a longer name.
func containsWord(_ word: String, in line: String) -> Bool {
    func isNamePart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }
    // Nearly every line has none: the cheap look first.
    guard line.utf8.count >= word.utf8.count, line.contains(word) else { return false }
    var rest = line[...]
    while let range = rest.firstRange(of: word) {
        let before = line[..<range.lowerBound].last
        let after = line[range.upperBound...].first
        let opens = before.map { !isNamePart($0) } ?? true
        let endsInName = word.last.map(isNamePart) ?? false
        let closes = !endsInName || (after.map { !isNamePart($0) } ?? true)
        if opens && closes { return true }
        rest = line[range.upperBound...]
    }
    return false
}

/// Whether what stands behind `#expect(` up to its end, or up to a comma, is one call.
private func isAllOfIt(_ text: Substring) -> Bool {
    var depth = 0
    var calls = 0
    for character in text {
        switch character {
        case "(":
            if depth == 0 { calls += 1 }
            depth += 1
        case ")":
            if depth == 0 { return calls == 1 }
            depth -= 1
        case ",":
            if depth == 0 { return calls == 1 }
        case "=", "<", ">", "?", ".":
            if depth == 0 { return false }
        default: continue
        }
    }
    return false
}
