import AppSiteAssociation

/// The template for the body of a webhook: JSON with placeholders.
///
/// `{{name}}` inside a string is replaced by the value with JSON escapes; `{{env.NAME}}` by an
/// environment variable, so that no file contains keys. A template with an unknown name, or whose
/// result is not JSON, is rejected at the start.
package struct WebhookTemplate: Sendable, Equatable {
    package enum Problem: Error, Equatable {
        /// Line (1-based) and name.
        case unknownName(line: Int, String)
        case notClosed(line: Int)
        case variableMissing(line: Int, String)
        /// With sample values it is not JSON: the parser's message.
        case notJSON(String)
    }

    private enum Piece: Sendable, Equatable {
        case text([UInt8])
        case value(String)
    }

    private let pieces: [Piece]
    /// Whether notes are sent; some receivers open an incident for each request.
    package let takesNotes: Bool

    /// The names of the placeholders.
    package static let names = [
        "time", "host", "change", "code", "severity", "message", "remedy", "id", "since", "summary",
        "action", "seconds",
    ]

    /// Slack's incoming webhooks: `{"text": …}`.
    package static let slack = """
        {"text": "{{summary}}\\n_{{code}}_ since {{since}}. {{remedy}}"}
        """

    /// PagerDuty's Events API v2 (`/v2/enqueue`): one incident per id, triggered and resolved.
    package static let pagerDuty = """
        {"routing_key": "{{env.PAGERDUTY_ROUTING_KEY}}", "event_action": "{{action}}",
         "dedup_key": "{{id}}",
         "payload": {"summary": "{{summary}}", "source": "{{host}}", "severity": "{{severity}}",
          "timestamp": "{{time}}", "component": "apple-app-site-association",
          "class": "{{code}}", "custom_details": {"remedy": "{{remedy}}", "since": "{{since}}"}}}
        """

    /// The complete change, as on stdout.
    package static let plain = WebhookTemplate(pieces: [], takesNotes: true)

    private init(pieces: [Piece], takesNotes: Bool) {
        self.pieces = pieces
        self.takesNotes = takesNotes
    }

    /// - Parameter environment: returns the value of a variable.
    package init(
        _ text: String, takesNotes: Bool = true, environment: (String) -> String?
    ) throws(Problem) {
        var pieces: [Piece] = []
        var rest = text[...]
        var line = 1
        while let open = rest.firstRange(of: "{{") {
            let before = rest[..<open.lowerBound]
            pieces.append(.text(Array(before.utf8)))
            line += before.utf8.count { $0 == UInt8(ascii: "\n") }
            guard let close = rest[open.upperBound...].firstRange(of: "}}") else {
                throw .notClosed(line: line)
            }
            let name = String(rest[open.upperBound..<close.lowerBound]).trimmingBlanks
            if name.hasPrefix("env.") {
                let value = environment(String(name.dropFirst(4)))?.trimmingWhiteSpace
                guard let value, !value.isEmpty else {
                    throw .variableMissing(line: line, String(name.dropFirst(4)))
                }
                pieces.append(.text(Self.escaped(value)))
            } else if Self.names.contains(name) {
                pieces.append(.value(name))
            } else {
                throw .unknownName(line: line, name)
            }
            rest = rest[close.upperBound...]
        }
        pieces.append(.text(Array(rest.utf8)))
        self.init(pieces: pieces, takesNotes: takesNotes)
        let sample = WatchChange(
            time: 0, host: "example.com", kind: .problem, code: "tls-expired", severity: .error,
            message: "a \"quoted\" word\nand a line", remedy: "", id: "example.com/tls-expired",
            since: 0, seconds: 60)
        do {
            _ = try JSONReader.read(SourceText(name: "template", bytes: body(sample)))
        } catch {
            throw .notJSON(error.message)
        }
    }

    /// The body for a change.
    package func body(_ change: WatchChange) -> [UInt8] {
        if pieces.isEmpty { return JSONWriter.minified(change.json) }
        return pieces.flatMap { piece in
            switch piece {
            case .text(let bytes): bytes
            case .value(let name): Self.escaped(Self.value(name, change))
            }
        }
    }

    private static func value(_ name: String, _ change: WatchChange) -> String {
        switch name {
        case "summary": change.summary
        case "action": change.kind == .resolved ? "resolve" : "trigger"
        case "seconds": "\(change.seconds ?? 0)"
        default: change.json[name]?.string ?? ""
        }
    }

    /// Escaped for a JSON string, without the quotes.
    private static func escaped(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.append(string: text, to: &bytes)
        return Array(bytes.dropFirst().dropLast())
    }
}

extension WebhookTemplate.Problem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownName(let line, let name):
            "line \(line): {{\(name)}} is not known; there are "
                + WebhookTemplate.names.joined(separator: ", ") + ", and env.NAME"
        case .notClosed(let line): "line \(line): {{ without }}"
        case .variableMissing(let line, let name):
            "line \(line): the environment has no \(name)"
        case .notJSON(let reason): "what comes out is no JSON: \(reason)"
        }
    }
}
