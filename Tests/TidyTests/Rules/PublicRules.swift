import Foundation

/// What the library shows to those who use it.
let publicRules = [
    Rule(
        name: "what is public says what it means",
        why: "users of the library read its documentation, not its source"
    ) { tree in
        tree.files.filter { $0.target == "AppSiteAssociation" && $0.isSwift }.flatMap { file in
            let lines = file.lines
            return file.swift.code.enumerated().compactMap { index, line -> Finding? in
                let words = line.split(separator: " ").filter { !$0.hasPrefix("@") }
                guard words.first == "public", words.count > 1,
                    !["import", "extension"].contains(words[1])
                else { return nil }
                var above = index - 1
                while above >= 0, lines[above].drop(while: { $0 == " " }).hasPrefix("@") {
                    above -= 1
                }
                if above >= 0, lines[above].drop(while: { $0 == " " }).hasPrefix("///") {
                    return nil
                }
                return Finding(
                    path: file.path, line: index + 1,
                    message: "\(words.prefix(4).joined(separator: " ")) has no documentation")
            }
        }
    },
    Rule(
        name: "a public comment links to what is public",
        why: "the documentation site has no page for the rest, and is not built"
    ) { tree in
        let files = tree.files.filter { $0.target == "AppSiteAssociation" && $0.isSwift }
        let types = files.flatMap { declaredTypes(in: $0) }
        let shown = Set(types.filter(\.isPublic).map(\.name))
        let hidden = Set(types.filter { !$0.isPublic }.map(\.name)).subtracting(shown)
        return files.flatMap { file in
            var comment: [(line: Int, links: [String])] = []
            var found: [Finding] = []
            for (index, line) in file.lines.enumerated() {
                let text = line.drop { $0 == " " }
                if text.hasPrefix("///") {
                    comment.append((index + 1, linkedTypes(in: String(text))))
                } else if !text.hasPrefix("@") {
                    if text.hasPrefix("public ") {
                        for (line, links) in comment {
                            found += links.filter(hidden.contains).map {
                                Finding(
                                    path: file.path, line: line,
                                    message: "``\($0)`` is not public: write `\($0)`")
                            }
                        }
                    }
                    comment = []
                }
            }
            return found
        }
    },
]

/// The types that a file declares: `public struct Name`.
private func declaredTypes(in file: SourceTree.File) -> [(name: String, isPublic: Bool)] {
    file.swift.code.compactMap { line in
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
        guard
            let keyword = words.firstIndex(where: {
                ["struct", "enum", "class", "protocol", "typealias", "actor"].contains($0)
            }), keyword + 1 < words.count
        else { return nil }
        return (words[keyword + 1], words[..<keyword].contains("public"))
    }
}

/// The first parts of the links of a comment: `Name` of ``Name/member``.
private func linkedTypes(in comment: String) -> [String] {
    comment.components(separatedBy: "``").enumerated().filter { $0.offset % 2 == 1 }.map {
        String($0.element.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
}
