import AppSiteAssociation
import ArgumentParser

/// How a command answers: for people or for machines.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json

    /// Prints a report in this format. An empty text is not printed.
    func show(_ text: @autoclosure () -> String, _ json: @autoclosure () -> JSONValue) {
        switch self {
        case .text:
            let text = text()
            if !text.isEmpty { Terminal.print(lines: text) }
        case .json: Terminal.write(JSONWriter.indented(json()))
        }
    }
}

extension JSONValue {
    /// An object of those members that have a value.
    static func object(known members: [(String, JSONValue?)]) -> JSONValue {
        .object(members.compactMap { name, value in value.map { (name, $0) } })
    }
}
