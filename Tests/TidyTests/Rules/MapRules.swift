/// The architecture page is true: what it names is there.
let mapRules = [
    Rule(
        name: "the map's ways name real types",
        why: "a reader follows them with a search for each name"
    ) { tree in
        guard let page = tree["Sources/README.md"] else { return [] }
        let declared = declaredTypes(tree)
        return ["How a request is served", "How a document is published"].flatMap { title in
            let steps = section(title, of: page).filter { $0.text.first?.isNumber ?? false }
            if steps.count < 5 {
                return [Finding(path: page.path, message: "\(title): fewer than five steps")]
            }
            let unknown: [Finding] = lines(of: section(title, of: page)).flatMap { line, text in
                codeSpans(text).filter(isTypeName).filter { declared[$0] == nil }.map {
                    Finding(path: page.path, line: line, message: "there is no type \($0)")
                }
            }
            let nameless = steps.filter { !codeSpans($0.text).contains { isTypeName($0) } }
            return unknown
                + nameless.map {
                    Finding(path: page.path, line: $0.line, message: "a step that names no type")
                }
        }
    },
    Rule(
        name: "the map answers where things are decided",
        why: "whoever has only the map finds the file at the first try"
    ) { tree in
        guard let page = tree["Sources/README.md"] else { return [] }
        let declared = declaredTypes(tree)
        let rows = section("Where aasa decides …", of: page).filter { $0.text.hasPrefix("| … ") }
        var found = rows.compactMap { row -> Finding? in
            let spans = codeSpans(row.text)
            let path = spans.first { $0.hasSuffix(".swift") }.map { "Sources/" + $0 } ?? ""
            let type = spans.last ?? ""
            if tree[path] == nil {
                return Finding(path: page.path, line: row.line, message: "no file \(path)")
            }
            return declared[type]?.contains(path) ?? false
                ? nil
                : Finding(
                    path: page.path, line: row.line, message: "\(type) is not declared in \(path)")
        }
        if rows.count < 10 {
            found.append(Finding(path: page.path, message: "fewer than ten questions"))
        }
        return found
    },
    Rule(
        name: "the map lists what crosses threads",
        why: "a lock that nobody knows of is where the next race begins"
    ) { tree in
        guard let page = tree["Sources/README.md"] else { return [] }
        let named = Set(section("Threads", of: page).flatMap { codeSpans($0.text) })
        let shared = ["Lock(", "Lock<", "LibraryLock<", "Atomic(", "Atomic<"]
        return tree.files.filter {
            $0.isSwift && ["AASAServer", "OpenSSL"].contains($0.target ?? "")
        }.compactMap { file in
            let line = file.swift.code.firstIndex { line in
                shared.contains { containsWord($0, in: line) }
            }
            guard let line, !named.contains(file.stem) else { return nil }
            return Finding(
                path: file.path, line: line + 1,
                message: "\(file.stem) is not in the table of what crosses threads")
        }
    },
]

/// The lines below a heading of the second level (1-based), without sub-headings.
private func section(
    _ title: String, of page: SourceTree.File
) -> [(line: Int, text: String)] {
    let all = page.lines.enumerated().map { (line: $0.offset + 1, text: String($0.element)) }
    return Array(
        all.drop { $0.text != "## " + title }.dropFirst().prefix { !$0.text.hasPrefix("## ") })
}

private func lines(of section: [(line: Int, text: String)]) -> [(Int, String)] {
    section.map { ($0.line, $0.text) }
}

private func isTypeName(_ span: String) -> Bool {
    guard let first = span.first, first.isUppercase, span.contains(where: \.isLowercase) else {
        return false
    }
    return span.allSatisfy { $0.isLetter || $0.isNumber }
}

/// Type → the files that declare it.
private func declaredTypes(_ tree: SourceTree) -> [String: Set<String>] {
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    var found: [String: Set<String>] = [:]
    for file in tree.files where file.isSwift && file.target != nil {
        for line in file.swift.code {
            let words = line.split(separator: " ")
            guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count
            else { continue }
            let name = words[kind + 1].prefix { $0.isLetter || $0.isNumber }
            found[String(name), default: []].insert(file.path)
        }
    }
    return found
}
