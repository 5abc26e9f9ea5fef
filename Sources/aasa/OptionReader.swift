import AASAServer
import AppSiteAssociation
import Reactor

/// Takes a value from its flag, else from its variable, and remembers what is wrong with it.
struct OptionReader {
    private let environment: [String: String]
    private(set) var problems: [String] = []
    /// The options that the command line names, in the order in which they were read.
    private(set) var given: [String] = []
    /// The options whose value came from a variable.
    private var fromVariables: Set<String> = []
    private var known: Set<String> = [
        "AASA_SHARED", "AASA_BINARY", "AASA_OPTIONS", "AASA_SANITIZER",
    ]

    init(environment: [String: String]) { self.environment = environment }

    static func variable(_ name: String) -> String {
        "AASA_" + name.uppercased().split(separator: "-").joined(separator: "_")
    }

    /// An empty variable counts as none. White space around its value is not part of it: variables
    /// made of files, such as mounted secrets, end with a line end.
    mutating func text(_ name: String, _ flag: String?) -> String? {
        known.insert(Self.variable(name))
        if let flag {
            given.append(name)
            return flag
        }
        let value = (environment[Self.variable(name)] ?? "").trimmingWhiteSpace
        if value.isEmpty { return nil }
        fromVariables.insert(name)
        return value
    }

    /// A folder with one folder per host.
    ///
    /// - Parameter files: what lies in the folder of one host, in which no host is found.
    mutating func folder(_ name: String, _ flags: [String], ofOneHost files: [String]) -> String? {
        if flags.count > 1 {
            problem(name, flags[1], "it is given twice; a server has one: remove one")
        }
        guard let path = text(name, flags.first) else { return nil }
        if let file = files.first(where: { Files.status("\(path)/\($0)") != nil }) {
            problem(
                name, path,
                "this is the folder of one host, as \(file) lies in it: name the folder above it")
        }
        return path
    }

    /// A switch: on by the flag, or by a variable that says so.
    mutating func flag(_ name: String, _ flag: Bool) -> Bool {
        let value = toggle(name, nil)
        if flag { given.append(name) }
        return flag || value == true
    }

    /// What a repeated flag or a variable with commas holds.
    mutating func list(_ name: String, _ flags: [String]) -> [String] {
        let text = text(name, flags.first) ?? ""
        return flags.isEmpty
            ? text.split(separator: ",").map { String($0).trimmingBlanks } : flags
    }

    mutating func value<Value>(
        _ name: String, _ flag: String?, advice: String, _ parse: (String) -> Value?
    ) -> Value? {
        guard let text = text(name, flag) else { return nil }
        if let value = parse(text) { return value }
        problem(name, text, advice)
        return nil
    }

    /// Where to listen.
    ///
    /// - Parameters:
    ///   - advice: for what is no address.
    ///   - refusal: the advice for an address that cannot be taken; nil: it can.
    mutating func addresses(
        _ name: String, _ texts: [String], advice: String, refusal: ([SocketAddress]) -> String?
    ) -> [SocketAddress] {
        var found: [SocketAddress] = []
        for text in texts {
            let parsed = SocketAddress.listening(text) ?? []
            let problem = parsed.isEmpty ? advice : refusal(parsed)
            if let problem { self.problem(name, text, problem) }
            found += parsed
        }
        return found
    }

    mutating func number(_ name: String, _ flag: String?, in range: ClosedRange<Int>) -> Int? {
        let advice = "write a number from \(range.lowerBound) to \(range.upperBound)"
        return value(name, flag, advice: advice) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    mutating func toggle(_ name: String, _ flag: String?) -> Bool? {
        value(name, flag, advice: "write on or off") { text in
            switch text.lowercased() {
            case "on", "true", "yes", "1": true
            case "off", "false", "no", "0": false
            default: nil
            }
        }
    }

    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ flag: String?, of type: Choice.Type
    ) -> Choice? where Choice.RawValue == String {
        let names = type.allCases.map(\.rawValue).joined(separator: ", ")
        return value(name, flag, advice: "write one of \(names)") {
            Choice(rawValue: $0.lowercased())
        }
    }

    mutating func problem(_ name: String, _ text: String, _ advice: String) {
        let place = fromVariables.contains(name) ? Self.variable(name) : "--\(name)"
        let problem = "\(place) \"\(text)\": \(advice)"
        if !problems.contains(problem) { problems.append(problem) }
    }

    /// The last problem as an error; it says the others at once.
    func failure(remedy: String) -> CommandError {
        for problem in problems.dropLast() { Terminal.note(lines: CommandError(problem).text) }
        return CommandError(problems.last ?? "", remedy: remedy, status: .usage)
    }

    /// A misspelt variable would otherwise do nothing, silently.
    func warnAboutUnknown() {
        for name in environment.keys.sorted()
        where name.hasPrefix("AASA_") && !known.contains(name)
            && !name.hasPrefix("AASA_HANDED_") && !name.hasPrefix("AASA_TEST")
        {
            let near = Spelling.correction(of: name, among: known.sorted())
            Terminal.note(
                "aasa: \(name) is not a setting" + (near.map { "; is \($0) meant?" } ?? ""))
        }
    }
}
