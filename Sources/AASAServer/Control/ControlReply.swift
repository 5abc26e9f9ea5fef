package import AppSiteAssociation

/// The server's reply to a command: the content of the response is this value as JSON.
package struct ControlReply: Sendable {
    /// Called at most once, from any thread.
    package typealias Answer = @Sendable (ControlReply) -> Void

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

    package init(_ outcome: Outcome, lines: [String] = [], problems: [String] = []) {
        self.outcome = outcome
        self.lines = lines
        self.problems = problems
    }

    package var json: JSONValue {
        .object([
            ("aasa", .text(version)), ("pid", .integer(Int(process))), ("phase", .text(phase)),
            ("outcome", .text(outcome.rawValue)), ("lines", .list(lines.map(JSONValue.text))),
            ("problems", .list(problems.map(JSONValue.text))),
        ])
    }

    /// The reply as one line.
    package var line: [UInt8] { JSONWriter.minified(json) + [10] }

    /// Nil if the value is no reply.
    package init?(_ json: JSONValue) {
        guard let version = json["aasa"]?.string,
            let outcome = json["outcome"]?.string.flatMap(Outcome.init),
            case .number(let process)? = json["pid"]?.kind
        else { return nil }
        self.init(outcome)
        self.version = version
        self.process = Int32(process) ?? 0
        phase = json["phase"]?.string ?? ""
        lines = json["lines"]?.strings ?? []
        problems = json["problems"]?.strings ?? []
    }
}
