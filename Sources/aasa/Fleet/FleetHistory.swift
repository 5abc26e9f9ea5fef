import AASAFleet
import AppSiteAssociation
import ArgumentParser
import OpenSSL

/// `aasa fleet history`: every revision, who made it and why, and which channel serves it.
struct FleetHistory: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List every revision: who, when, why, and which channel serves it.")

    @OptionGroup var options: FleetOptions

    @Option(help: .value("n", "How many revisions to list, newest first.")) var limit = 30

    @Option(help: "text or json, on stdout.") var format: OutputFormat = .text

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit: at least 1") }
    }

    func run() throws {
        let store = try options.store()
        let revisions = try store.revisions()
        let pointers = try store.channels().compactMap { name, pointer in
            (try? pointer.get()).map { (channel: name, pointer: $0) }
        }
        var rows: [(RevisionRecord, [String])] = []
        for (id, record) in revisions.suffix(limit).reversed() {
            guard let record = try? record.get() else {
                let key = store.keys.revision(id.number)
                Terminal.note("aasa: \(key) cannot be read; run aasa fleet verify")
                continue
            }
            rows.append((record, pointers.filter { $0.pointer.revision == id }.map(\.channel)))
        }
        format.show(
            InertText.joined(Self.lines(rows, pointers)),
            .list(rows.map { Self.json($0.0, $0.1) }))
    }

    private static func lines(
        _ rows: [(RevisionRecord, [String])],
        _ pointers: [(channel: String, pointer: ChannelPointer)]
    ) -> [String] {
        var lines: [String] = []
        for (record, channels) in rows {
            let served = channels.isEmpty ? "" : "  [\(channels.joined(separator: ", "))]"
            lines.append(
                "\(record.number)  \(DateText.moment(record.time))  \(record.author)  "
                    + "\(record.files) files\(served)"
                    + (record.note.isEmpty ? "" : "  \(record.note)"))
        }
        for (channel, pointer) in pointers where pointer.action != .publish {
            lines.append(
                "\(channel): \(pointer.action.rawValue) to \(pointer.revision) \(pointer.origin)")
        }
        return lines
    }

    private static func json(_ record: RevisionRecord, _ channels: [String]) -> JSONValue {
        .object([
            ("revision", .integer(record.number)), ("sha256", .text(record.id.hash)),
            ("time", .integer(record.time)), ("author", .text(record.author)),
            ("note", .text(record.note)), ("files", .integer(record.files)),
            ("bytes", .integer(record.bytes)), ("warnings", .integer(record.warnings)),
            ("parent", .integer(record.parent?.number)),
            ("channels", .list(channels.map { .text($0) })),
        ])
    }
}

/// `aasa fleet diff`: what changed between two revisions, in meaning.
struct FleetDiff: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show how two revisions differ in meaning.",
        discussion: """
            With one revision: what it changed compared with its parent. Documents are \
            compared as aasa diff does, everything else by file.

            Exit status: 0 when both say the same, 1 when they differ.
            """)

    @Argument(help: .value("rev", "A revision.")) var revision: Int64

    @Argument(help: .value("rev", "The revision to compare it with."))
    var other: Int64?

    @OptionGroup var options: FleetOptions

    func run() throws {
        let store = try options.store()
        let first = try store.record(number: revision)
        var (from, to) = (first.record.parent, Optional(first.id))
        if let other { (from, to) = (first.id, try store.record(number: other).id) }
        let lines = try FleetDifference.lines(
            from: FleetSide(revision: from, store: store),
            to: FleetSide(revision: to, store: store))
        for line in lines { Terminal.print(line) }
        if !lines.isEmpty { throw ExitStatus.findings }
    }
}
