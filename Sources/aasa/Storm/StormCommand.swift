import AASADevice
import AASAStorm
import ArgumentParser
import OpenSSL
import Reactor

struct StormCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storm",
        abstract: "Rehearse an install surge against a server.",
        discussion: """
            Simulated devices arrive on schedule, whether or not the server keeps up. Each makes its own \
            connection with a full TLS handshake. Status 200 with a document that lists an app associates \
            the device. 500-599 makes it retry, and 300-499 denies the association, as does a document \
            without apps, or without the valid signature that the era requires. Anything else is a failure.

            --era sets the kinds of devices: their paths, their TLS and HTTP, and when they retry. Since \
            iOS 14 devices ask Apple's CDN; aasa simulates its crawler then. If the URL has a path, every \
            device requests it, and only the status counts. --cacert turns certificate checks on.

            A device costs this machine about as much CPU time as the server. For a large server, run \
            parts of the storm on several machines (--part).

              aasa storm https://example.com:8443/ --devices 2000 --over 10 \\
                  --era ios9.3:10,ios13:90 --resolve example.com:8443:127.0.0.1

            aasa accepts only servers on this machine (127.0.0.0/8, ::1), unless you give \
            --i-own-this-server.
            """,
        subcommands: [
            Rehearsal.self, StormMergeCommand.self, StormPlanCommand.self,
        ],
        defaultSubcommand: Rehearsal.self)

    struct Rehearsal: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run", abstract: "Run a storm (the default).")

        @Argument(help: "The site, or one URL of it; without a path, each era requests its own.")
        var url: String

        @Option(help: "How many devices arrive.")
        var devices: Int = 1000

        @Option(help: .value("seconds", "The seconds over which they arrive."))
        var over: Double = 10

        @Option(help: "How they arrive: constant, ramp, bell or spike (1 s at 40 times the rate).")
        var shape: ArrivalSchedule.Shape = .constant

        @Option(
            help: .value(
                "file", "Recorded arrivals: a time in seconds, or `second count`, per line."))
        var arrivals: String?

        @Option(
            help: .value(
                "seconds", "How long a device waits; from 5,30,60 each device picks at random."))
        var patience: String = "60"

        @Option(
            help: .value(
                "era:weight,…",
                "Which devices, with weights: "
                    + Era.allCases.map(\.rawValue).joined(separator: ", ") + "."))
        var era: String = EraMix.standard.text

        @Flag(help: "Use HTTP/2, for all eras but ios8.")
        var http2 = false

        @Flag(help: "Resume TLS sessions where the server allows it.")
        var resume = false

        @Option(
            help:
                "Attempts per device, the first included (Apple: 8). Retries come after 1 s, not 3 hours."
        )
        var tries: Int = 1

        @OptionGroup var connect: ConnectOptions

        @Option(
            help: "Generator threads. (default: by the processors)")
        var threads: Int?

        @Option(
            help: .value("text", "Sent instead of the era's; repeatable."))
        var userAgent: [String] = []

        @Option(help: "Seed of the random draws.")
        var seed: UInt64 = 1

        @Option(
            help: .value(
                "k/n",
                "Run the K-th of N parts, each on its own machine; job/N takes K from JOB_COMPLETION_INDEX."
            ))
        var part: String?

        @Option(
            help: .value(
                "time", "When to start: 2026-11-22T10:00:00Z, seconds since 1970, or +SECONDS."))
        var startAt: String?

        @Option(help: "Output format.")
        var format: OutputFormat = .text

        @Option(
            help: .value("file", "Also write the report as a page.")
        )
        var html: String?

        @Flag(help: "Allow a target on another machine. Only your own servers.")
        var iOwnThisServer = false

        func run() throws {
            var configuration = try makeConfiguration()
            if !configuration.target.address.isLoopback && !iOwnThisServer {
                throw CommandError(
                    "this is not an address of this machine",
                    place: configuration.target.address.description,
                    remedy: "storm only a server of your own, and say so with --i-own-this-server",
                    status: .usage)
            }
            if let html { try FileReplacement.check(html) }
            let limit = (try? ProcessLimits.raiseDescriptorLimit()) ?? 1024
            configuration.mostOpen = max(64, (limit - 64) / configuration.threads)
            let progress = StormProgress()
            // Ctrl-C ends the storm, not the report.
            let signals = try? Signals(blocking: Signals.ending)
            let terminal = StandardStream.error.isTerminal
            guard try CommonStart.wait(for: startAt, isStopped: { signals?.next() != nil }) else {
                Terminal.note("ended before --start-at: no device asked")
                throw ExitStatus.findings
            }
            let startedAt = WallClock.milliseconds
            var report: StormReport
            do {
                report = try Storm(configuration).run(progress: progress) { line in
                    if signals?.next() != nil { progress.stop() }
                    // A terminal keeps one line, a log gets one a second.
                    if terminal {
                        Terminal.status(line)
                    } else {
                        Terminal.note(line)
                    }
                }
            } catch let problem as StormProblem {
                throw CommandError(problem.description)
            }
            report.startedAtMilliseconds = startedAt
            if terminal { Terminal.status("") }
            try report.write(format, html: html)
        }

        func makeConfiguration() throws -> StormConfiguration {
            let target = try StormTarget(url: url, connect: connect)
            func check(_ good: Bool, _ cause: String) throws {
                if !good { throw CommandError(cause, status: .usage) }
            }
            try check(
                (1...StormConfiguration.mostDevices).contains(devices),
                "--devices: 1 to \(StormConfiguration.mostDevices)")
            try check(
                over > 0 && over <= StormConfiguration.longestSurge,
                "--over: above 0 and at most \(Int(StormConfiguration.longestSurge)) seconds")
            try check((1...64).contains(threads ?? 1), "--threads: 1 to 64")
            try check((1...8).contains(tries), "--tries: 1 to 8")
            let waits = patience.split(separator: ",").map { Double($0) }
            try check(
                !waits.isEmpty && waits.allSatisfy { ($0 ?? 0) > 0 && ($0 ?? 0) <= 600 },
                "--patience: seconds above 0 and at most 600, several with commas")
            var configuration = StormConfiguration(
                target: target,
                schedule: try schedule(),
                patience: waits.compactMap { $0 })
            do {
                configuration.eras = try EraMix(parsing: era)
            } catch { throw CommandError(error.description, place: "--era", status: .usage) }
            configuration.http2 = http2
            configuration.resume = resume
            let own = target.address.isLoopback
            configuration.threads =
                threads
                ?? StormConfiguration.threads(
                    processors: ProcessLimits.processorCount, sharedWithServer: own)
            configuration.tries = tries
            configuration.seed = seed
            configuration.userAgents = userAgent
            if let part {
                let job = CurrentProcess.variable("JOB_COMPLETION_INDEX")
                guard let parsed = StormPart(parsing: part, jobIndex: job) else {
                    throw CommandError(
                        "'\(part)' is not K/N, such as 3/20"
                            + (part.hasPrefix("job/") && job == nil
                                ? "; JOB_COMPLETION_INDEX is not set" : ""),
                        place: "--part",
                        status: .usage)
                }
                configuration.part = parsed
            }
            return configuration
        }

        private func schedule() throws -> ArrivalSchedule {
            guard let arrivals else {
                return ArrivalSchedule(shape: shape, devices: devices, seconds: over)
            }
            let bytes = try InputFile.read(arrivals)
            do {
                return ArrivalSchedule(
                    shape: nil,
                    recorded: try RecordedArrivals.read(String(decoding: bytes, as: UTF8.self)),
                    devices: devices, seconds: over)
            } catch {
                throw CommandError(
                    error.description, place: arrivals,
                    remedy: "one arrival per line: its time in seconds, or a second and a count")
            }
        }
    }
}

extension ArrivalSchedule.Shape: ExpressibleByArgument {}
