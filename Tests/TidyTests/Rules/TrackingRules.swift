let trackingRules = [
    Rule(
        name: "no build products and no keys are tracked",
        why: "a committed .build breaks fresh clones; a committed key is no key any more"
    ) { tree in
        tree.files.compactMap { file in
            let parts = file.path.split(separator: "/")
            if parts.contains(where: { $0 == ".build" || $0.hasPrefix(".build-") })
                || ["o", "so", "swiftmodule", "pyc", "resolved", "profdata"].contains(
                    file.fileExtension)
            {
                return Finding(path: file.path, message: "a build product")
            }
            let isKey = containsPrivateKey(file)
            if (isKey || file.name.hasPrefix("privkey")) && !file.isFixture {
                return Finding(path: file.path, message: "a private key outside of test fixtures")
            }
            return nil
        }
    },
    Rule(
        name: "the top level is fixed", why: "a new reader sees the whole product in one look"
    ) { tree in
        let fixed: Set<String> = [
            "Package.swift", "Sources", "Tests", "site", "certs", "deploy", "README.md", "LICENSE",
        ]
        let tops = Set(tree.files.map { String($0.path.prefix { $0 != "/" }) })
        return tops.subtracting(fixed).filter { !$0.hasPrefix(".") }.sorted().map {
            Finding(path: $0, message: "not one of the fixed top-level entries")
        }
    },
    Rule(
        name: "no placeholder stays", why: "an empty room looks finished from outside"
    ) { tree in
        tree.files.filter { $0.isSwift && $0.path != "Package.swift" && !$0.isFixture }
            .compactMap { file in
                let code = file.swift.code
                let isEmpty = code.allSatisfy { line in line.allSatisfy(\.isWhitespace) }
                return isEmpty ? Finding(path: file.path, message: "no code in this file") : nil
            }
    },
]

/// A header that is followed by the key itself; code that only names the header has none.
private func containsPrivateKey(_ file: SourceTree.File) -> Bool {
    guard file.text.contains("PRIVATE KEY-----") else { return false }
    let lines = file.lines
    return lines.indices.dropLast().contains { index in
        let isHeader =
            lines[index].contains("-----BEGIN ") && lines[index].contains("PRIVATE KEY-----")
        let body = lines[index + 1].filter { !$0.isWhitespace }
        return isHeader && body.count >= 40
            && body.allSatisfy { $0.isLetter || $0.isNumber || "+/=".contains($0) }
    }
}
