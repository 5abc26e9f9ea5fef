import AASAFleet
import AASAServer
import AppSiteAssociation
import ArgumentParser
import Logging
import OpenSSL
import Reactor
import Synchronization

/// How every command ends; the numbers are part of the command line's contract and the same
/// for all commands: scripts and CI jobs branch on them.
///
/// `throw ExitStatus.findings` after everything is printed; `throw CommandError(…)` where there
/// is still something to say.
enum ExitStatus: Int32, Error {
    case good = 0
    /// The work was done and its verdict is bad: findings, a failed check, a difference.
    case findings = 1
    /// The command line itself is wrong.
    case usage = 2
    /// The work could not be done: a file that cannot be read, a port in use.
    case couldNotRun = 3
}

/// A failure said to people on stderr, never as a stack trace:
///
/// ```
/// aasa: site/example.com/host.json: Permission denied
/// fix: let the user "aasa" read it: chmod o+r site/example.com/host.json
/// ```
///
/// A `Problem`, `FleetError`, `OpenSSLError` or `SystemError` that is not caught is reported the
/// same way, with ``ExitStatus/couldNotRun``.
struct CommandError: Error {
    let problem: Problem
    let status: ExitStatus

    init(_ problem: Problem, status: ExitStatus = .couldNotRun) {
        self.problem = problem
        self.status = status
    }

    init(
        _ cause: String, place: String? = nil, remedy: String? = nil,
        status: ExitStatus = .couldNotRun
    ) {
        self.init(
            Problem(place: place ?? "", cause: cause, remedy: remedy ?? ""), status: status)
    }

    /// A finding that ends the command: in a file that is no JSON, or cannot be edited.
    init(_ finding: Diagnostic, status: ExitStatus = .couldNotRun) {
        self.init(
            finding.message, place: finding.place, remedy: finding.remedy, status: status)
    }

    init(_ error: OpenSSLError, status: ExitStatus = .couldNotRun) {
        self.init(error.cause, remedy: error.remedy, status: status)
    }

    var text: String {
        var lines = problem.lines
        lines[0] = "aasa: " + lines[0]
        return InertText.joined(lines)
    }
}

/// The two streams of a command: what machines read and what people read never mix.
///
/// All that goes through is made inert (`InertText`), as most of it was written by others; only
/// ``writeExactly(_:)`` lets bytes pass as they are.
enum Terminal {
    private static let areNotesLogged = Atomic(false)
    private static let areNotesJSON = Atomic(false)

    /// From now on notes go the way of a server's log: a reader that does not read (a stopped
    /// logger behind a full pipe) loses them, and never holds up the server.
    ///
    /// - Parameter format: of that log.
    static func logNotes(_ format: String?) {
        areNotesJSON.store(format?.lowercased() == "json", ordering: .relaxed)
        areNotesLogged.store(true, ordering: .relaxed)
    }

    /// A log in JSON has no other lines.
    private static let log = Logger(label: "aasa") { _ in
        ServerLogHandler(format: .json, level: .info, sink: .standardError)
    }

    /// Why the command ends.
    static func note(_ error: CommandError) {
        guard areNotesJSON.load(ordering: .relaxed) else { return note(lines: error.text) }
        log.error("\(error.problem)", metadata: error.problem.metadata)
    }

    /// Writes one line to stdout. A reader that went away (`| head`) ends the command quietly, as
    /// other tools end by SIGPIPE.
    static func print(_ line: String) { print(lines: InertText.piece(line)) }

    /// A report whose lines are inert pieces already (`InertText.joined`).
    static func print(lines: String) { write(lines + "\n", to: .output) }

    /// A line for people: progress, warnings, reasons.
    static func note(_ line: String) { note(lines: InertText.piece(line)) }

    static func note(lines: String) { write(lines + "\n", to: .error) }

    /// A report for machines; escapes of what it holds keep it the same JSON.
    static func write(_ bytes: [UInt8]) {
        write(String(decoding: bytes, as: UTF8.self), to: .output)
    }

    /// A document, as it is; or a report that has made its pieces inert and has commands of its
    /// own (colours, GitHub's annotations).
    static func writeExactly(_ bytes: [UInt8]) { StandardStream.output.write(bytes) }

    /// As ``writeExactly(_:)``, for the signed form of a document.
    static func writeSigned(_ bytes: [UInt8]) throws(CommandError) {
        if StandardStream.output.isTerminal {
            throw CommandError(
                "the signed form is binary and does not belong on a terminal",
                remedy: "add --output FILE, or redirect", status: .usage)
        }
        writeExactly(bytes)
    }

    /// As ``writeExactly(_:)``, for people.
    static func noteExactly(_ text: String) {
        StandardStream.error.write(Array((text + "\n").utf8))
    }

    /// Progress: a line in place of the last one.
    static func status(_ line: String) {
        StandardStream.error.write(Array("\r\u{1B}[K\(InertText.piece(line))".utf8))
    }

    /// Colour on a terminal that did not decline it (no-color.org; `TERM=dumb`).
    static func wantsColor(_ stream: StandardStream) -> Bool {
        stream.isTerminal && (CurrentProcess.variable("NO_COLOR") ?? "").isEmpty
            && CurrentProcess.variable("TERM") != "dumb"
    }

    private static func write(_ text: String, to stream: StandardStream) {
        if stream == .error, areNotesJSON.load(ordering: .relaxed) {
            for line in text.split(separator: "\n") { log.notice("\(line)") }
            return
        }
        let bytes = Array(InertText.lines(text).utf8)
        if stream == .error, areNotesLogged.load(ordering: .relaxed) {
            LogSink.standardError.write(bytes)
        } else {
            stream.write(bytes)
        }
    }
}

extension AASA {
    /// Runs the command named by the arguments and returns the process's exit status. The
    /// argument parser's own statuses (64 for a wrong command line) are translated here, once.
    static func runToStatus(_ arguments: [String]? = nil) -> Int32 {
        let status = runCommand(arguments)
        // Half a document in a file must not look like a whole one.
        guard let failure = StandardStream.outputFailure else { return status }
        let error = CommandError(
            failure.reason, place: "standard output",
            remedy: "the output is incomplete: check its disk, and run it again")
        return say(error)
    }

    /// `--days -1` as `--days=-1`: the argument parser takes `-1` for an option and would call the
    /// value missing, where the range of the option says what is wrong.
    private static func joiningNegativeNumbers(_ arguments: [String]) -> [String] {
        var joined: [String] = []
        for argument in arguments {
            if argument.dropFirst().first?.isNumber == true, argument.hasPrefix("-"),
                let option = joined.last, option.hasPrefix("--"), option.count > 2,
                !option.contains("=")
            {
                joined[joined.count - 1] = "\(option)=\(argument)"
            } else {
                joined.append(argument)
            }
        }
        return joined
    }

    private static func say(_ error: CommandError) -> Int32 {
        Terminal.note(error)
        return error.status.rawValue
    }

    private static func runCommand(_ arguments: [String]?) -> Int32 {
        do {
            let arguments = joiningNegativeNumbers(arguments ?? [])
            var command = try alone(arguments) ?? parseAsRoot(arguments)
            try command.run()
            return ExitStatus.good.rawValue
        } catch let status as ExitStatus {
            return status.rawValue
        } catch let error as CommandError {
            return say(error)
        } catch let problem as Problem {
            return say(CommandError(problem))
        } catch let error as FileError where error.isOfWriting {
            return say(
                CommandError(
                    "\(error.action): \(error.cause)", place: error.path,
                    remedy: error.remedyForWriting(or: "name another place")))
        } catch let error as FleetError {
            return say(CommandError(error.problem))
        } catch let error as EditError {
            return say(CommandError(error.diagnostic, status: .findings))
        } catch let error as OpenSSLError {
            return say(CommandError(error))
        } catch let error as SystemError {
            return say(CommandError(.limits("", error)))
        } catch {
            return explain(error, arguments).rawValue
        }
    }

    /// The named command, parsed without the tree of all commands; nil: only the whole tree can
    /// answer. It explains a wrong command line, and finds requests for help.
    ///
    /// The argument parser puts types together at run time, for each command on the way, and for
    /// requests for completion scripts unless a command has a `_superCommandName` (speed.md
    /// section 4).
    private static func alone(_ arguments: [String]) -> (any ParsableCommand)? {
        guard let name = arguments.first,
            let type = configuration.subcommands.first(where: {
                $0.configuration.commandName == name && $0.configuration.subcommands.isEmpty
            }),
            let command = try? type.parseAsRoot(Array(arguments.dropFirst())),
            Swift.type(of: command) == type
        else { return nil }
        return command
    }

    /// The command that a misspelt one most likely meant.
    private static func hint(_ word: String) -> String? {
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        if word.hasPrefix("-") || names.contains(word) { return nil }
        return Spelling.correction(of: word, among: names)
    }

    private static func explain(_ error: any Error, _ arguments: [String]?) -> ExitStatus {
        switch exitCode(for: error) {
        case .success:
            // `--help` and `--version`: what was asked for, hence on stdout.
            Terminal.print(lines: fullMessage(for: error))
            return .good
        case .validationFailure:
            if let word = arguments?.first, let near = hint(word) {
                Terminal.note("aasa: \"\(word)\" is not a command; is \"aasa \(near)\" meant?")
                return .usage
            }
            var text = fullMessage(for: error)
            if text.hasPrefix("Error: ") { text = String(text.dropFirst("Error: ".count)) }
            Terminal.note(lines: "aasa: " + text)
            return .usage
        default:
            Terminal.note(lines: "aasa: " + message(for: error))
            return .couldNotRun
        }
    }
}
