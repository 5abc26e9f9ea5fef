let documentRules = [
    Rule(name: "links resolve", why: "a reader who follows a link must arrive") { tree in
        tree.files.filter { $0.isMarkdown && !$0.isFixture }.flatMap { file in
            links(in: file).compactMap { link in
                guard let problem = problem(with: link.target, in: file, tree: tree) else {
                    return nil
                }
                return Finding(path: file.path, line: link.line, message: problem)
            }
        }
    },
    Rule(
        name: "paths named in documents exist",
        why: "the architecture page is a map: every place on it can be visited"
    ) { tree in
        let tops = ["Sources/", "Tests/", "deploy/", "site/", ".ci/"]
        // Words that stand for a name.
        let stand = ["HOST", "TEAM", "NAME", "/X/", "/XTests/"]
        return tree.files.filter { $0.isMarkdown && !$0.isFixture }.flatMap { file in
            file.lines.enumerated().flatMap { index, line in
                codeSpans(String(line)).compactMap { span in
                    guard tops.contains(where: { span.hasPrefix($0) }),
                        span.allSatisfy({ $0.isLetter || $0.isNumber || "/._-".contains($0) }),
                        !stand.contains(where: { span.contains($0) }),
                        !exists(span, in: tree)
                    else { return nil }
                    return Finding(
                        path: file.path, line: index + 1, message: "\(span) does not exist")
                }
            }
        }
    },
    Rule(
        name: "the architecture page names every target and room",
        why: "a map with white spots sends people astray"
    ) { tree in
        guard let page = tree["Sources/README.md"] else {
            return tree["Package.swift"] == nil
                ? [] : [Finding(path: "Sources/README.md", message: "is missing")]
        }
        let rooms = Set(
            tree.files.filter { $0.target != nil && !$0.path.contains(".docc/") }.map { file in
                file.path.split(separator: "/").dropFirst().dropLast()
                    .filter { $0 != "include" }.joined(separator: "/")
            })
        return rooms.sorted().compactMap { room in
            let name = room.split(separator: "/").last.map(String.init) ?? room
            let isNamed =
                page.text.contains("`\(room)`") || page.text.contains("`\(name)/`")
                || page.text.contains("`\(name)`")
            return isNamed
                ? nil : Finding(path: page.path, message: "does not name the room \(room)")
        }
    },
]

/// Inline Markdown links outside of code blocks, with their lines (1-based).
func links(in file: SourceTree.File) -> [(target: String, line: Int)] {
    var found: [(String, Int)] = []
    var inBlock = false
    for (index, line) in file.lines.enumerated() {
        if line.hasPrefix("```") { inBlock.toggle() }
        if inBlock { continue }
        var rest = line[...]
        while let opening = rest.firstRange(of: "](") {
            let target = rest[opening.upperBound...].prefix { $0 != ")" && $0 != " " }
            found.append((String(target), index + 1))
            rest = rest[opening.upperBound...]
        }
    }
    return found
}

/// The text between single backticks on a line.
func codeSpans(_ line: String) -> [String] {
    let parts = line.split(separator: "`", omittingEmptySubsequences: false)
    return parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
}

private func problem(
    with target: String, in file: SourceTree.File, tree: SourceTree
) -> String? {
    if target.hasPrefix("https://") || target.hasPrefix("http://") || target.hasPrefix("mailto:") {
        return nil
    }
    let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.first.map(String.init) ?? ""
    let anchor = parts.count > 1 ? String(parts[1]) : nil
    var page = file
    if !path.isEmpty {
        let resolved = resolve(path, from: file.path)
        guard exists(resolved, in: tree) else { return "\(target) does not exist" }
        guard let linked = tree[resolved] else { return nil }
        page = linked
    }
    guard let anchor, page.isMarkdown else { return nil }
    let anchors = page.lines.filter { $0.hasPrefix("#") }.map { heading($0) }
    return anchors.contains(anchor) ? nil : "no heading for #\(anchor) in \(page.path)"
}

/// The anchor that GitHub makes of a heading: lower case, punctuation dropped, spaces to hyphens.
private func heading(_ line: Substring) -> String {
    let text = line.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
    return String(
        text.compactMap { character -> Character? in
            if character == " " { return "-" }
            return character.isLetter || character.isNumber || "-_".contains(character)
                ? character : nil
        })
}

private func resolve(_ path: String, from file: String) -> String {
    var parts = file.split(separator: "/").dropLast().map(String.init)
    for part in path.split(separator: "/") {
        if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(String(part)) }
    }
    return parts.joined(separator: "/")
}

private func exists(_ path: String, in tree: SourceTree) -> Bool {
    tree[path] != nil || tree.hasFolder(path)
}
