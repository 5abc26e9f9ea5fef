package import Reactor

/// Everything that the admin side shows, at one moment. ``StatusBoard`` keeps it: each part writes
/// its own section there. Judged by `Health`, rendered by `StatusJSON` and the metrics.
package struct StatusReport: Sendable {
    package struct Host: Sendable {
        package var name: String
        package var aliases: [String] = []
        package var facts: HostFacts
        /// The association paths answer 200.
        package var hasDocument = true
        /// A handshake for its name succeeds: there is a certificate, or a front ends TLS.
        package var hasCertificate = true
        /// The aliases whose handshakes fail.
        package var bareAliases: [String] = []
        /// Since the start, by form.
        package var answers: [HostCounters.Answer: UInt64] = [:]

        /// Clients get the document.
        package var isAvailable: Bool { hasDocument && hasCertificate }
    }

    package enum Phase: String, Sendable {
        case starting
        case serving
        case draining
    }

    /// Written by the reloader.
    package struct Reloads: Sendable, Equatable {
        package var succeeded: UInt64 = 0
        package var failed: UInt64 = 0
        /// Why the last load failed, or what it could not use, at the start or later; nil: it could
        /// use everything.
        package var problem: String?
        /// The suggested fix of ``problem``.
        package var fix: String?
        /// When the load, or the write of the state, began that is under way; nil: none is.
        package var busySince: MonotonicInstant?

        /// The largest sites are read in seconds.
        private static let busyMaximum: Duration = .seconds(60)

        /// As ``problem``; a load that does not end is a problem, too.
        package func problem(at now: MonotonicInstant) -> String? {
            guard let busySince, now - busySince > Self.busyMaximum else { return problem }
            return Message(.loadHangs).text
        }
    }

    package var version: String
    /// Seconds since 1970.
    package var now: Int64
    package var started: Int64
    package var phase = Phase.starting
    package var workers = 1
    package var generation: UInt64 = 0
    package var hosts: [Host] = []
    /// Folders of the site that are no hosts, as nothing is in them.
    package var strays: [String] = []
    /// The public facts of the certificates; no private key is part of the report.
    package var certificates: [ServedCertificate] = []
    package var reloads = Reloads()
    /// Written by the reloader: see ``SiteLoader/vanished``.
    package var vanished: [String: Int64] = [:]
    /// Nil: another program renews the certificates.
    package var renewals: (any StatusSection)?
    /// Why the last good state cannot be kept on disk; nil: it is kept, or `--state` is not set.
    package var stateProblem: Problem?
    /// Logs that lose lines or cannot be reopened, and the token of the admin listener.
    package var fileProblems: [Problem] = []
    /// Lines that could not be written since the start: the disk is full, or the reader of the log
    /// has stopped.
    package var lostMessages: UInt64 = 0
    package var lostAccessLines: UInt64 = 0
    /// Nil: the server is not part of a fleet.
    package var fleet: (any StatusSection)?
    /// Whether the server keeps up, and the last quarter of an hour: written by the monitor.
    package var load = LoadMonitor()
    package var counters = ServerCounters(workers: [])
    package var connections = Connections()
    package var traffic = Traffic()

    /// Connections at this moment.
    package struct Connections: Sendable, Equatable {
        package var open: UInt64 = 0
        /// Connections that wait until their handshake starts (admission control).
        package var waiting: UInt64 = 0
        package var limit: UInt64 = 0
    }

    /// Sums since start.
    package struct Traffic: Sendable, Equatable {
        package var accepted: UInt64 = 0
        package var handshakes: UInt64 = 0
        /// Answers of status 200.
        package var answered: UInt64 = 0
        /// Answers of status 503.
        package var unavailable: UInt64 = 0
        /// Answers of another status.
        package var other: UInt64 = 0
        /// The 503 answers that admission control gave because of load, by cause.
        package var shedByCause: [String: UInt64] = [:]
        /// Connections that ended after their answer, or whose client asked for nothing.
        package var served: UInt64 = 0
        /// Clients that left before they had an answer: while they waited, in the handshake, or
        /// before the last byte.
        package var gaveUp: UInt64 = 0
        /// Clients that were cut before they had an answer (too slow, or no room), by the label of
        /// the reason.
        package var cutByReason: [String: UInt64] = [:]
        package var bytesSent: UInt64 = 0
        /// User and system time of the whole process.
        package var processorSeconds: Double = 0
        package var residentBytes: UInt64 = 0

        package var shed: UInt64 { shedByCause.values.reduce(0, &+) }
        package var cut: UInt64 { cutByReason.values.reduce(0, &+) }
    }
}

extension ServedCertificate {
    /// The share of the certificate's life that is left, 0…1. Certificate lifetimes get shorter, so
    /// a number of days says little.
    package func shareLeft(now: Int64) -> Double {
        let life = notAfter - notBefore
        return life > 0 ? max(0, min(1, Double(notAfter - now) / Double(life))) : 0
    }
}
