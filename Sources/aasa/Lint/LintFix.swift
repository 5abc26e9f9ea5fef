import AppSiteAssociation
import Reactor

/// `aasa lint --fix`: fixes files in place, each whole or not at all. `--diff` shows the same.
struct LintFix {
    /// Print the changes as a unified diff, and write nothing.
    let showsOnly: Bool
    /// Codes that are not reported, and so not fixed.
    let ignored: Set<String>
    /// What it switches off is meant, and stays.
    let project: LintProject

    /// - Returns: how many findings were fixed.
    /// - Throws: where a file cannot be written; the others before it are.
    func run(_ files: [LintFile]) throws(CommandError) -> Int {
        var count = 0
        for file in files where showsOnly || file.source.name != "-" {
            let (bytes, codes) = Fixer.fixed(
                file.source,
                isWanted: {
                    !ignored.contains($0.code) && !project.apply(to: [$0]).findings.isEmpty
                },
                lint: { Linter.lintHost([LintFile(file, fixed: $0)]) })
            guard !codes.isEmpty else { continue }
            count += codes.count
            if showsOnly {
                // patch(1) takes only the exact bytes; on a terminal none of them may act.
                let isTerminal = StandardStream.output.isTerminal
                let write = isTerminal ? Terminal.write(_:) : Terminal.writeExactly(_:)
                write(Self.difference(file.source, bytes))
            } else {
                try FileReplacement.replace(file.source.name, with: bytes)
                Terminal.note("\(file.source.name): fixed \(Self.counted(codes))")
            }
        }
        return count
    }

    /// The codes, and those among them whose fix changes what the file means.
    private static func counted(_ codes: [String]) -> String {
        let counts = Dictionary(grouping: codes) { $0 }.mapValues(\.count)
        func list(_ codes: some Collection<String>) -> String {
            codes.sorted().map { code in
                counts[code] == 1 ? code : "\(code) (\(counts[code] ?? 0) times)"
            }.joined(separator: ", ")
        }
        let changing = counts.keys.filter(Fixer.changesMeaning)
        return list(counts.keys)
            + (changing.isEmpty
                ? ""
                : "; these fixes change what the file means: \(list(changing))")
    }

    /// Unchanged lines around a change, as diff(1) shows them.
    private static let context = 3

    /// The lines between the common beginning and the common end, as one hunk of a unified diff.
    private static func difference(_ old: SourceText, _ new: [UInt8]) -> [UInt8] {
        let before = lines(old.bytes)
        let after = lines(new)
        let head = zip(before, after).prefix { $0 == $1 }.count
        let ends = zip(before.dropFirst(head).reversed(), after.dropFirst(head).reversed())
        let tail = ends.prefix { $0 == $1 }.count
        let start = max(0, head - context)
        let end = min(tail, context)
        func range(_ lines: [ArraySlice<UInt8>]) -> String {
            let count = lines.count - tail + end - start
            return "\(count == 0 ? start : start + 1),\(count)"
        }
        // As patch(1) takes them.
        func marked(_ mark: String, _ lines: ArraySlice<ArraySlice<UInt8>>) -> [UInt8] {
            lines.flatMap { line in
                let end = line.last == 0x0A ? "" : "\n\\ No newline at end of file\n"
                return Array(mark.utf8) + line + Array(end.utf8)
            }
        }
        let name = InertText.piece(old.name)
        let title = "--- \(name)\n+++ \(name)\n@@ -\(range(before)) +\(range(after)) @@\n"
        return Array(title.utf8)
            + marked(" ", before[start..<head])
            + marked("-", before[head..<before.count - tail])
            + marked("+", after[head..<after.count - tail])
            + marked(" ", after[(after.count - tail)..<(after.count - tail + end)])
    }

    /// Lines with their ends; the last may have none.
    private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            .map { bytes[$0.startIndex..<min($0.endIndex + 1, bytes.count)] }
            .filter { !$0.isEmpty }
    }
}
