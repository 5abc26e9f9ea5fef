import Foundation

/// The words and the length of sentences in what people read.
let languageRules = [
    Rule(
        name: "documents use the words of the field",
        why: "an operator at 3 a.m. must not have to read a sentence twice"
    ) { tree in
        tree.files.filter(isDocument).flatMap { file in
            prose(of: file).enumerated().flatMap { index, line in
                line.isEmpty ? [] : unwanted(in: line, file.path, index + 1)
            }
        }
    },
    Rule(
        name: "findings use the words of the field",
        why: "a finding is read in the middle of other work"
    ) { tree in
        tree.files.filter(isCatalog).flatMap { file in
            catalogTexts(of: file).flatMap { text, line in
                unwanted(in: text, file.path, line, words + wordsOfFindings)
                    + text.split(separator: #/[.!?:] /#).compactMap { sentence in
                        let count = sentence.split(separator: " ")
                            .count { $0.contains(where: \.isLetter) }
                        return count <= 30
                            ? nil
                            : Finding(path: file.path, line: line, message: "\(count) words")
                    }
            }
        }
    },
    Rule(
        name: "sentences in documents have at most 30 words",
        why: "one idea per sentence"
    ) { tree in
        tree.files.filter(isDocument).flatMap { file in
            sentences(of: file).compactMap { sentence, line in
                let count = sentence.split(separator: " ").count { $0.contains(where: \.isLetter) }
                return count <= 30
                    ? nil
                    : Finding(
                        path: file.path, line: line,
                        message: "\(count) words: \(sentence.prefix(60))…")
            }
        }
    },
    Rule(
        name: "messages and doc comments use the words of the field",
        why: "a message has one word for one thing, in the code and in its documentation"
    ) { tree in
        let messages = tree.files.filter { $0.name == "messages.txt" }.flatMap { file in
            file.lines.indices.flatMap { index in
                unwanted(in: String(file.lines[index]), file.path, index + 1)
            }
        }
        let code = tree.files.filter { $0.isSwift && languageTargets.contains($0.target ?? "") }
        return messages
            + code.flatMap { file in
                file.lines.indices.flatMap { index -> [Finding] in
                    let isDoc = file.lines[index].drop { $0 == " " }.hasPrefix("///")
                    let text = isDoc ? file.swift.comments[index] : file.swift.strings[index]
                    guard text.split(separator: " ").count > 1 else { return [] }
                    return unwanted(
                        in: text.replacing(#/`[^`]*`/#, with: "X"), file.path, index + 1)
                }
            }
    },
]

/// The targets whose messages and doc comments are held to the words: all without the findings of
/// documents and hosts.
private let languageTargets: Set = [
    "AASAClient", "AASADevice", "AASAFleet", "AASAServer", "AASAStorm", "ACME",
    "AppSiteAssociation", "HTTP", "OpenSSL", "Reactor", "aasa",
]

/// What must not appear → what to write instead.
private let words = [
    ("mend(s|ed|ing)?", "fix"), ("for ever", "indefinitely"),
    ("by (itself|themselves)|of itself", "automatic"), ("whoever", "the owner, or “you”"),
    ("nobody", "no client, no process, …"), ("somebody", "a person, a process, …"),
    ("looks? (at|through)", "check"), ("(is|are) (said|told)", "report"),
    ("take[sn]? (away|out)|took (away|out)", "remove"), ("leaves? out|left out", "omit"),
    ("as yet", "still"), ("goes? wrong", "fail"), ("needs? a look", "attention needed"),
    ("all the same", "still"), ("in front of it", "before it"),
]

/// Further words that must not appear in the text of a finding.
private let wordsOfFindings = [
    ("alone", "only"), ("remed(y|ies)", "fix"), ("wants?", "require, need"), ("behind", "after"),
    ("in front", "before"), ("slips?", "typing error"), ("played", "simulated"),
    ("faults?", "error"), ("askers?", "client"), ("stands? for itself", "no special meaning"),
    ("anybody|everybody", "every client, …"), ("small letters", "lower case"),
]

/// The words of the line that are to be replaced, with what to write.
private func unwanted(
    in line: String, _ path: String, _ number: Int, _ words: [(String, String)] = words
) -> [Finding] {
    // One search for all: hardly a line has any of them.
    guard range(of: words.map(\.0).joined(separator: "|"), in: line) != nil else { return [] }
    return words.compactMap { word, instead in
        guard let range = range(of: word, in: line) else { return nil }
        return Finding(path: path, line: number, message: "“\(line[range])”: write \(instead)")
    }
}

private func range(of words: String, in line: String) -> Range<String.Index>? {
    line.range(of: "\\b(?:\(words))\\b", options: [.regularExpression, .caseInsensitive])
}

/// What people read as text: every document that is not data of a test.
private func isDocument(_ file: SourceTree.File) -> Bool { file.isMarkdown && !file.isFixture }

/// The texts of findings (`CodeFamily`).
private func isCatalog(_ file: SourceTree.File) -> Bool {
    file.path.hasPrefix("Sources/") && file.path.contains("/Catalog/")
        && file.fileExtension == "txt"
}

/// Titles, messages, explanations and fixes with the lines in which they begin; examples are not
/// prose.
private func catalogTexts(of file: SourceTree.File) -> [(text: String, line: Int)] {
    var found: [(text: String, line: Int)] = []
    var isProse = false
    for (index, line) in file.lines.enumerated() {
        if line.hasPrefix("    ") {
            if isProse { found[found.count - 1].text += " " + line.drop { $0 == " " } }
            continue
        }
        let fields = ["title: ", "says: ", "why: ", "fix: ", "device: "]
        isProse = fields.contains { line.hasPrefix($0) }
        if isProse { found.append((String(line.drop { $0 != " " }.dropFirst()), index + 1)) }
    }
    return found
}

/// The lines of a document without its blocks of code, code spans and the targets of links.
private func prose(of file: SourceTree.File) -> [String] {
    var isBlock = false
    return file.lines.map { line in
        if line.drop(while: { $0 == " " }).hasPrefix("```") {
            isBlock.toggle()
            return ""
        }
        guard !isBlock else { return "" }
        return String(line).replacing(#/`[^`]*`/#, with: "X").replacing(#/\]\([^)]*\)/#, with: "]")
    }
}

/// Sentences with the line in which each one begins. A cell of a table, an item of a list and a
/// heading end a sentence, and so does a colon.
private func sentences(of file: SourceTree.File) -> [(String, Int)] {
    var found: [(String, Int)] = []
    var current = ""
    var start = 1
    func end() {
        if current.contains(where: \.isLetter) { found.append((current, start)) }
        current = ""
    }
    for (index, line) in prose(of: file).enumerated() {
        let text = line.drop { $0 == " " }
        let isCell = text.hasPrefix("|")
        let beginsAnew =
            ["|", "#", "* ", "- "].contains { text.hasPrefix($0) }
            || text.prefixMatch(of: #/\d+\. /#) != nil
        if text.isEmpty || beginsAnew { end() }
        for word in text.split(separator: isCell ? "|" : " ") {
            if isCell {
                end()
                for part in word.split(separator: #/[.!?:;] /#) {
                    found.append((String(part), index + 1))
                }
                continue
            }
            if current.isEmpty { start = index + 1 }
            current += current.isEmpty ? word : " " + word
            if let last = word.last(where: { !"*)”\"_".contains($0) }), ".!?:".contains(last) {
                end()
            }
        }
    }
    end()
    return found
}
