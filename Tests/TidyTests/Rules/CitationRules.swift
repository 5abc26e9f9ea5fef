import Foundation

let citationRules = [
    Rule(
        name: "citations lead to an article in the tree",
        why: "a reader can look up what the code stands on, without another folder"
    ) { tree in
        let articles = tree.files.filter { $0.isMarkdown && !$0.isFixture }
        // The tests of the rules make articles up.
        let sources = tree.files.filter {
            $0.isSwift && !$0.isFixture && !$0.path.hasPrefix("Tests/TidyTests/")
        }
        return sources.flatMap { file in
            citations(in: file).compactMap { citation -> Finding? in
                let found = articles.filter {
                    $0.path == citation.article || $0.path.hasSuffix("/" + citation.article)
                }
                if found.isEmpty {
                    return Finding(
                        path: file.path, line: citation.line,
                        message: "\(citation.article) is not in the tree")
                }
                let missing = citation.sections.first { section in
                    !found.contains { hasHeading(section, in: $0) }
                }
                return missing.map {
                    Finding(
                        path: file.path, line: citation.line,
                        message: "\(citation.article) has no section \($0)")
                }
            }
        }
    }
]

struct Citation: Equatable {
    /// A file's name, perhaps with folders: `overload.md`.
    let article: String
    let sections: [String]
    /// Where it begins (1-based).
    let line: Int
}

/// `overload.md`, `overload.md section 6`, `domain.md sections 3.3 and 8`, `domain.md 2.4`: in
/// comments and in strings, also across the end of a comment's line.
func citations(in file: SourceTree.File) -> [Citation] {
    guard file.text.contains(".md") else { return [] }
    let number = "([0-9]+(?:\\.[0-9]+)*)"
    let gap = "(?:\\s|//+)+"
    let pattern =
        "([A-Za-z][A-Za-z0-9_/-]*\\.md)\\b"
        + "(?:,?\(gap)(?:sections?\(gap))?\(number)(?:\(gap)and\(gap)\(number))?)?"
    guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
    let text = file.text as NSString
    let whole = NSRange(location: 0, length: text.length)
    return expression.matches(in: file.text, range: whole).map { match in
        func group(_ index: Int) -> String? {
            let range = match.range(at: index)
            return range.location == NSNotFound ? nil : text.substring(with: range)
        }
        let before = text.substring(to: match.range.location)
        return Citation(
            article: group(1) ?? "", sections: [group(2), group(3)].compactMap(\.self),
            line: before.count { $0 == "\n" } + 1)
    }
}

private func hasHeading(_ section: String, in article: SourceTree.File) -> Bool {
    article.lines.contains { line in
        guard line.hasPrefix("#") else { return false }
        let title = line.drop { $0 == "#" || $0 == " " }
        return title.hasPrefix(section + ". ") || title.hasPrefix(section + " ")
    }
}
