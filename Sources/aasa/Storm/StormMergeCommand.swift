import AASAStorm
import ArgumentParser
import OpenSSL

/// `aasa storm merge`: the parts of one storm, added up.
struct StormMergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Add up the reports of a storm that several machines ran in parts.",
        discussion: """
            Each machine runs its part of the same storm and writes its report as JSON:

              aasa storm https://example.com/ --devices 1000000 --over 600 \\
                  --part 3/20 --start-at 2026-11-22T10:00:00Z --format json > part-3.json
              aasa storm merge part-*.json --html storm.html

            Counts add up exactly; percentiles come from the summed histograms. Warnings come first: \
            parts that are missing, that started at another time, or whose own machine was too slow.
            """)

    @Argument(help: "Reports of --format json, one per part.")
    var files: [String]

    @Option(help: "text or json, on stdout.")
    var format: OutputFormat = .text

    @Option(
        help: .value("file", "Also write the report as a self-contained page."))
    var html: String?

    /// The greatest report: two hours of seconds and three histograms are below 2 MB.
    private static let bytesMaximum = 16 << 20

    func run() throws {
        var parts: [StormReport] = []
        for file in files {
            let bytes = try InputFile.read(file, maximum: Self.bytesMaximum)
            do {
                parts.append(try StormReport(partJSON: bytes, name: file))
            } catch {
                throw CommandError(
                    error.description, remedy: "name the files that --format json wrote")
            }
        }
        let report = StormReport.merged(parts)
        try report.write(format, html: html)
    }
}

extension StormReport {
    /// Prints the report, also as a page where that is asked for.
    /// - Throws: where a device got no answer.
    func write(_ format: OutputFormat, html file: String?) throws {
        Terminal.write(Array((format == .json ? json : text).utf8))
        if let file {
            try FileReplacement.replace(file, with: Array(html.utf8), mode: 0o644)
        }
        if !everyDeviceWasAnswered { throw ExitStatus.findings }
    }
}
