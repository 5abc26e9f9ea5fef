/// The table of what the sources claim, and the tests that play it.
let claimRules = [
    Rule(
        name: "every claim of the sources has its test",
        why: "a statement that nothing plays is believed, not known"
    ) { tree in
        guard let page = tree[Claim.page] else {
            // A made-up tree has none; the house has a manifest.
            return tree["Package.swift"] == nil
                ? [] : [Finding(path: Claim.page, message: "the table of claims is missing")]
        }
        let claims = page.lines.enumerated().compactMap { Claim($0.element, line: $0.offset + 1) }
        let tests = tree.files.filter { $0.isSwift && $0.path.hasPrefix("Tests/") }
        var found: [Finding] = []
        var numbers: Set<Substring> = []
        for claim in claims {
            func report(_ message: String) {
                found.append(Finding(path: page.path, line: claim.line, message: message))
            }
            if !numbers.insert(claim.number).inserted { report("\(claim.number) stands twice") }
            if claim.text.isEmpty { report("\(claim.number) claims nothing") }
            if !claim.isStandingKnown {
                report("\(claim.number): \"\(claim.standing)\" is no mark")
            }
            if claim.tests.isEmpty { report("\(claim.number) names no test") }
            for test in claim.tests where !test.exists(in: tests) {
                report("\(claim.number): there is no test \(test.description)")
            }
        }
        if claims.isEmpty { found.append(Finding(path: page.path, message: "has no claims")) }
        return found
    }
]

/// One row: `| 1.2 | what is claimed | A, O | `Suite.test` "case", `Suite.other` |`.
struct Claim {
    static let page = "Tests/Claims/README.md"

    struct Test: CustomStringConvertible {
        let suite: String
        let name: String
        var cases: [String] = []

        var description: String {
            ([suite + "." + name] + cases.map { "\"\($0)\"" }).joined(separator: " ")
        }

        func exists(in files: [SourceTree.File]) -> Bool {
            let home = files.filter { $0.name == suite + ".swift" }
            let marks = ["func \(name)(", "func `\(name)`("]
            guard home.contains(where: { file in marks.contains { file.text.contains($0) } })
            else { return false }
            // A case is data of the suite, in its file or in one of its folder.
            let folders = Set(home.map { $0.path.dropLast($0.name.count) })
            return cases.allSatisfy { name in
                files.contains { file in
                    folders.contains(file.path.dropLast(file.name.count))
                        && Self.forms(name).contains { file.text.contains($0) }
                }
            }
        }

        /// As a string, or made of the parts that a helper puts together.
        private static func forms(_ name: String) -> [String] {
            let status = name.hasPrefix("status ") ? ["\"\(name.dropFirst(7))\""] : []
            return ["\"\(name)\""] + status
        }
    }

    let line: Int
    let number: Substring
    let text: Substring
    let standing: Substring
    let tests: [Test]

    /// Nil for a line that is no row of a claim.
    init?(_ text: Substring, line: Int) {
        let cells = text.split(separator: "|").map { cell in
            var cell = cell.drop { $0 == " " }
            while cell.last == " " { cell.removeLast() }
            return cell
        }
        guard text.hasPrefix("| "), let first = cells.first,
            first.split(separator: ".").count == 2, first.allSatisfy({ $0.isNumber || $0 == "." })
        else { return nil }
        self.line = line
        number = first
        self.text = cells.count > 1 ? cells[1] : ""
        standing = cells.count > 2 ? cells[2] : ""
        tests = cells.count > 3 ? Self.tests(cells[3]) : []
    }

    var isStandingKnown: Bool {
        let marks = standing.split { $0 == "," || $0 == " " }
        return !marks.isEmpty
            && marks.allSatisfy { ["A", "S", "SW", "O", "O1", "D", "L", "K", "H"].contains($0) }
    }

    /// Names stand between back quotes, their cases between quotes behind them.
    private static func tests(_ cell: Substring) -> [Test] {
        var tests: [Test] = []
        for (index, part) in cell.split(separator: "`", omittingEmptySubsequences: false)
            .enumerated()
        {
            if index % 2 == 1 {
                let dot = part.firstIndex(of: ".") ?? part.endIndex
                tests.append(
                    Test(suite: String(part[..<dot]), name: String(part[dot...].dropFirst())))
            } else if !tests.isEmpty {
                let quoted = part.split(separator: "\"", omittingEmptySubsequences: false)
                tests[tests.count - 1].cases += quoted.enumerated()
                    .filter { $0.offset % 2 == 1 }.map { String($0.element) }
            }
        }
        return tests
    }
}
