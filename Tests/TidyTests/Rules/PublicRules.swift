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
    }
]
