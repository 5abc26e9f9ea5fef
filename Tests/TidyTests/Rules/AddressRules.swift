let addressRules = [
    Rule(
        name: "tests stand at the address of the code",
        why: "whoever changes a file finds its tests without looking"
    ) { tree in
        let tests = tree.files.filter { $0.isSwift && $0.path.hasPrefix("Tests/") }
        let covers = Set(tests.flatMap(covered))
        let paths = Set(tests.map(\.path))
        return tree.files.filter { $0.isSwift && $0.target != nil }.compactMap { file in
            let address = testAddress(of: file)
            if paths.contains(address) || Exceptions.untested[file.path] != nil { return nil }
            // The tool's files are tested through the binary.
            let endToEnd = "Tests/EndToEndTests/"
            if file.target == "aasa"
                && paths.contains(where: {
                    $0.hasPrefix(endToEnd) && $0.hasSuffix("/\(file.stem)Tests.swift")
                })
            {
                return nil
            }
            let relative = String(file.path.dropFirst("Sources/".count))
            if covers.contains(file.name) || covers.contains(relative) { return nil }
            return Finding(
                path: file.path,
                message: "no \(address), and no test says '// Covers: \(file.name)'")
        }
    },
    Rule(
        name: "exceptions are still needed", why: "a stale exception is a hole that nobody sees"
    ) { tree in
        // A made-up tree has none of them; the house has a manifest.
        guard tree["Package.swift"] != nil else { return [] }
        return Exceptions.paths.filter { tree[$0] == nil }.sorted().map {
            Finding(path: $0, message: "an exception names this file, but it is gone")
        }
    },
]

/// `Sources/X/Room/Foo.swift` → `Tests/XTests/Room/FooTests.swift`
func testAddress(of file: SourceTree.File) -> String {
    var parts = file.path.split(separator: "/").map(String.init)
    parts[0] = "Tests"
    parts[1] += "Tests"
    parts[parts.count - 1] = "\(file.stem)Tests.swift"
    return parts.joined(separator: "/")
}

/// The names in `// Covers: A.swift, Room/B.swift` lines.
func covered(by file: SourceTree.File) -> [String] {
    file.lines.filter { $0.hasPrefix("// Covers:") }.flatMap { line in
        line.dropFirst("// Covers:".count).split { $0 == "," || $0 == " " }.map(String.init)
    }
}
