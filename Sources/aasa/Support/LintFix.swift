import AppSiteAssociation

/// `aasa lint --fix`: mends the files in place, or says what would change.
struct LintFix {
    /// Print the changes as a unified diff, and write nothing.
    let showsOnly: Bool

    /// - Returns: how many findings were mended.
    /// - Throws: where a file cannot be written; the others before it are.
    func run(_ files: [LintFile]) throws(CommandError) -> Int {
        var count = 0
        for file in files where file.source.name != "-" {
            let kind = file.kind
            let (bytes, codes) = Fixer.fixed(file.source) { source in
                Linter.lintHost([
                    LintFile(source, as: kind, host: file.host, team: file.team, app: file.app)
                ])
            }
            guard !codes.isEmpty else { continue }
            count += codes.count
            if showsOnly {
                Terminal.print(lines: Self.difference(file.source, bytes))
            } else {
                try FileReplacement.replace(file.source.name, with: bytes)
                Terminal.note("\(file.source.name): fixed \(Self.counted(codes))")
            }
        }
        return count
    }

    private static func counted(_ codes: [String]) -> String {
        Dictionary(grouping: codes) { $0 }.mapValues(\.count).sorted { $0.key < $1.key }.map {
            $0.value == 1 ? $0.key : "\($0.key) (\($0.value) times)"
        }.joined(separator: ", ")
    }

    /// The lines between the common beginning and the common end, as one hunk of a unified diff.
    private static func difference(_ old: SourceText, _ new: [UInt8]) -> String {
        func lines(_ bytes: [UInt8]) -> [String] {
            String(decoding: bytes, as: UTF8.self).split(
                separator: "\n", omittingEmptySubsequences: false
            ).map(String.init)
        }
        let before = lines(old.bytes)
        let after = lines(new)
        let shorter = min(before.count, after.count)
        var head = 0
        while head < shorter, before[head] == after[head] { head += 1 }
        var tail = 0
        while tail < shorter - head,
            before[before.count - 1 - tail] == after[after.count - 1 - tail]
        {
            tail += 1
        }
        let removed = before[head..<before.count - tail]
        let added = after[head..<after.count - tail]
        return
            ([
                "--- " + InertText.piece(old.name), "+++ " + InertText.piece(old.name),
                "@@ -\(head + 1),\(removed.count) +\(head + 1),\(added.count) @@",
            ] + removed.map { "-" + $0 } + added.map { "+" + $0 }).map { InertText.lines($0) }
            .joined(separator: "\n")
    }
}
