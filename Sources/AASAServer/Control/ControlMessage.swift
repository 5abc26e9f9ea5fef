package import AppSiteAssociation

/// The request of a command to a running server: one line of JSON.
package struct ControlRequest: Sendable, Equatable {
    package enum Command: String, Sendable, CaseIterable { case who, reload, upgrade, status }

    package let command: Command
    /// Upgrade: allowed even if the successor serves less.
    package let isForced: Bool

    package init(_ command: Command, isForced: Bool = false) {
        self.command = command
        self.isForced = isForced
    }

    package var line: [UInt8] {
        JSONWriter.minified(
            .object([("command", .text(command.rawValue)), ("force", .flag(isForced))])) + [10]
    }

    /// - Throws: nothing: nil if the line is no request.
    package init?(_ line: [UInt8]) {
        guard let root = ControlReply.object(line),
            let command = root["command"]?.string.flatMap(Command.init)
        else { return nil }
        self.init(command, isForced: root["force"]?.bool ?? false)
    }
}

/// The server's reply: one line of JSON.
package struct ControlReply: Sendable {
    package enum Outcome: String, Sendable {
        /// All was done as asked.
        case good
        /// Done as far as possible: some state is kept as it was, or the verdict is not "well".
        case findings
        /// Not done; nothing has changed.
        case refused
    }

    package var outcome: Outcome
    /// The server's process.
    package var process: Int32 = 0
    package var version = ""
    package var phase = ""
    /// The result, for people, line by line.
    package var lines: [String] = []
    /// What was refused or kept, and where, line by line.
    package var problems: [String] = []
    /// `status.json`, if the request was `status`.
    package var document: JSONValue?

    package init(
        _ outcome: Outcome, lines: [String] = [], problems: [String] = [],
        document: JSONValue? = nil
    ) {
        self.outcome = outcome
        self.lines = lines
        self.problems = problems
        self.document = document
    }

    package var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("aasa", .text(version)), ("pid", .integer(Int(process))), ("phase", .text(phase)),
            ("outcome", .text(outcome.rawValue)), ("lines", .list(lines.map(JSONValue.text))),
            ("problems", .list(problems.map(JSONValue.text))),
        ]
        if let document { members.append(("status", document)) }
        return .object(members)
    }

    package var line: [UInt8] { JSONWriter.minified(json) + [10] }

    package init?(_ line: [UInt8]) {
        guard let root = Self.object(line), let version = root["aasa"]?.string,
            let outcome = root["outcome"]?.string.flatMap(Outcome.init),
            case .number(let process)? = root["pid"]?.kind
        else { return nil }
        self.init(outcome)
        self.version = version
        self.process = Int32(process) ?? 0
        phase = root["phase"]?.string ?? ""
        lines = (root["lines"]?.array ?? []).compactMap(\.string)
        problems = (root["problems"]?.array ?? []).compactMap(\.string)
        document = root["status"]
    }

    /// 10,000 hosts in `status` are some megabytes, more than a document may have.
    static let bytesMaximum = 1 << 26

    static func object(_ line: [UInt8]) -> JSONValue? {
        let limits = JSONLimits(bytesMaximum: bytesMaximum, depthMaximum: 32)
        return try? JSONReader.read(SourceText(name: "control", bytes: line), limits: limits).root
    }
}
