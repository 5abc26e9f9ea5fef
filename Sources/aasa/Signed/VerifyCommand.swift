import AASADevice
import AppSiteAssociation
import ArgumentParser
import OpenSSL
import Reactor

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check a signed (CMS) document.",
        discussion: """
            Checks structure, encoding, signature, chain, host name, dates, content and sizes separately, \
            so that one problem does not hide another. Then lists which systems accept the file: iOS 8 \
            has no size limit, and iOS 13 and later ignore a Common Name.

            Exit status: 0 nothing is BAD; 1 otherwise. What is doubtful or unknown does not count.

              aasa verify apple-app-site-association --host example.com
              curl -s https://example.com/apple-app-site-association | aasa verify -
            """)

    @Argument(help: "The signed file; `-` for standard input.")
    var file: String
    @Option(help: "The host that the signer's certificate must cover.")
    var host: String?
    @OptionGroup var signer: SignerOptions
    @Option(
        name: .customLong("at"),
        help: .value(
            "time", "Check dates as of this moment, such as 2027-06-01T00:00:00Z. (default: now)"))
    var moment: String?
    @Option(help: "Output format.")
    var format: OutputFormat = .text
    @Flag(help: "Print only the document, even if the signature is not valid.")
    var payload = false

    func validate() throws {
        if let host { _ = try HostArgument.name(host, "--host") }
        if let moment, seconds == nil {
            throw ValidationError("--at \(moment): write it like 2027-06-01T00:00:00Z")
        }
    }

    /// Seconds since 1970; nil: now.
    private var seconds: Int? { moment.flatMap { Timestamp.seconds(rfc3339: $0) } }

    func run() throws {
        let bytes = try InputFile.read(file)
        let host = try host.map { try HostArgument.name($0, "--host") }
        let trust: TLSClientSettings.Trust = signer.authority.map { .systemAndFile($0) } ?? .system
        try signer.checkAuthorities()
        let report = CMSVerifier.verify(
            bytes, host: host, trust: trust,
            now: seconds.map { Int64($0) } ?? WallClock.seconds)
        if payload {
            guard let document = report.payload else {
                throw CommandError(
                    report.findings.first?.message ?? "there is no document", place: file,
                    remedy: report.findings.first?.remedy, status: .findings)
            }
            Terminal.writeExactly(document)
            return
        }
        let listing = VerifyListing(report: report, file: file)
        switch format {
        case .text: Terminal.writeExactly(Array(listing.text.utf8))
        case .json: Terminal.write(JSONWriter.indented(listing.json))
        }
        if !listing.isGood { throw ExitStatus.findings }
    }
}

/// The verdicts of `aasa verify`, in words and as JSON.
struct VerifyListing {
    let report: CMSReport
    let file: String
    /// Why the document is not JSON.
    let jsonError: JSONError?
    /// The findings, in the order of the questions.
    let findings: [Diagnostic]

    init(report: CMSReport, file: String) {
        self.report = report
        self.file = file
        jsonError = report.payload.flatMap { payload in
            let source = SourceText(name: "\(file) (document)", bytes: payload)
            do throws(JSONError) {
                _ = try JSONReader.read(source)
                return nil
            } catch {
                return error
            }
        }
        // A finding that explains the error already is enough.
        let isExplained = report.findings.contains {
            $0.code == .textHeader || $0.code == .emptyPayload
        }
        let own = isExplained ? [] : [jsonError?.diagnostic].compactMap { $0 }
        findings = report.findings.map { Diagnostic($0, file: file) } + own
    }

    var isGood: Bool { report.isGood && jsonError == nil }

    private var payloadJSON: CMSReport.Verdict {
        report.payload == nil
            ? .unknown("the document is not in the file") : jsonError == nil ? .good : .bad
    }

    private var verdicts: [(name: String, word: String, reason: String?)] {
        let verdicts =
            CMSReport.Check.allCases.map { ($0.rawValue, report.verdict($0)) }
            + [("payload-json", payloadJSON)]
        return verdicts.map { name, verdict in
            switch verdict {
            case .good: (name, "good", nil)
            case .doubtful: (name, "doubtful", nil)
            case .bad: (name, "bad", nil)
            case .unknown(let reason): (name, "unknown", reason)
            }
        }
    }

    var text: String {
        var lines: [String] = []
        for (name, word, reason) in verdicts {
            let shown = word == "bad" ? "BAD" : word
            lines.append(name.padded(to: 16) + shown + (reason.map { ": \($0)" } ?? ""))
        }
        lines.append("")
        if let signer = report.signer {
            lines.append("signer          \(signer.subject), \(signer.keyType)")
            lines.append("  names         \(signer.names.joined(separator: ", "))")
            lines.append("  ends          \(DateText.moment(signer.notAfter))")
        }
        if let algorithm = report.algorithm { lines.append("algorithm       \(algorithm)") }
        lines.append("certificates    \(report.included.count) in the file")
        let limit = CMSReport.greatest
        if let payload = report.payload {
            lines.append("document        \(payload.count) of \(limit) bytes")
        }
        lines.append("file            \(report.fileSize) of \(limit) bytes")
        for (era, problem) in eras {
            let verdict = problem.map { "no: " + $0 } ?? report.doubt.map { "not known: " + $0 }
            lines.append(era.rules.title.padded(to: 18) + (verdict ?? "accepts"))
        }
        lines.append("")
        return InertText.joined(lines) + "\n"
            + findings.map { $0.text(color: false) }.joined()
    }

    /// The systems, and why each of them rejects the signed form; nil if it accepts it. None for a
    /// file that is not signed: whether a system accepts that is no question of its signature.
    private var eras: [(era: Era, problem: String?)] {
        if report.findings.contains(where: { $0.code == .notSigned }) { return [] }
        return [Era.ios8, .ios93, .ios13, .ios14, .ios26].map {
            ($0, report.problem(in: $0) ?? jsonError?.message)
        }
    }

    var json: JSONValue {
        let checks = verdicts.map { ($0.name, JSONValue.text($0.word)) }
        let systems = eras.map {
            // Null: not known.
            let accepts: JSONValue =
                $0.problem == nil && report.doubt != nil
                ? JSONValue(.null) : .flag($0.problem == nil)
            return JSONValue.object([
                ("era", .text($0.era.rawValue)), ("accepts", accepts),
                ("reason", .text($0.problem ?? report.doubt)),
            ])
        }
        return .object([
            ("file", .text(file)), ("good", .flag(isGood)), ("checks", .object(checks)),
            ("findings", .list(findings.map(\.json))),
            ("fileBytes", .integer(report.fileSize)),
            ("documentBytes", .integer(report.payload?.count)),
            ("signer", report.signer.map { JSONValue.object($0.members) } ?? JSONValue(.null)),
            ("algorithm", .text(report.algorithm)),
            ("eras", .list(systems)),
        ])
    }
}
