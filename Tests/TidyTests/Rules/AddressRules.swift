let addressRules = [
    Rule(
        name: "tests stand at the address of the code",
        why: "whoever changes a file finds its tests without looking"
    ) { tree in
        let tests = tree.files.filter { $0.isSwift && $0.path.hasPrefix("Tests/") }
        let covers = Set(tests.flatMap(covered))
        let paths = Set(tests.map(\.path))
        return tree.files.filter { $0.isSwift && $0.target != nil }.compactMap { file in
            if Exceptions.untested[file.path] != nil || hasOwnTest(file, paths) { return nil }
            let relative = String(file.path.dropFirst("Sources/".count))
            if covers.contains(file.name) || covers.contains(relative) { return nil }
            let address = testAddress(of: file)
            return Finding(
                path: file.path,
                message: "no \(address), and no test says '// Covers: \(file.name)'")
        }
    },
    Rule(
        name: "a comment stands for the test of small files alone",
        why: "whoever changes a file of some size finds its tests at its address"
    ) { tree in
        let tests = tree.files.filter { $0.isSwift && $0.path.hasPrefix("Tests/") }
        let paths = Set(tests.map(\.path))
        let covered = tree.files.filter { file in
            file.isSwift && file.target != nil && Exceptions.untested[file.path] == nil
                && file.lines.count > coveredLinesMaximum && !hasOwnTest(file, paths)
        }
        return covered.map {
            Finding(
                path: $0.path,
                message: "\($0.lines.count) lines and no \(testAddress(of: $0)); a comment covers "
                    + "files of up to \(coveredLinesMaximum) lines")
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

/// A file of so many lines can be covered by a comment in another file's test.
private let coveredLinesMaximum = 40

/// Whether a test stands at the file's address; an extension (`Foo+Bar.swift`) may be tested with
/// its type, and a file of the tool through the binary.
private func hasOwnTest(_ file: SourceTree.File, _ paths: Set<String>) -> Bool {
    let own = testAddress(of: file)
    let ofType = own.replacing(#/\+[^/]*Tests\.swift$/#, with: "Tests.swift")
    if paths.contains(own) || paths.contains(ofType) { return true }
    guard file.target == "aasa" else { return false }
    let names = [own, ofType].compactMap { $0.split(separator: "/").last }
    return paths.contains { path in
        path.hasPrefix("Tests/EndToEndTests/") && names.contains { path.hasSuffix("/\($0)") }
    }
}

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
