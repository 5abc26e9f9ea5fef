package import Reactor

/// When the site and the certificates are read again.
///
/// Editors, `rsync`, certbot and Kubernetes write several files one after the other, and slow
/// writers one file in parts. So a load waits until two fingerprints of the folders, with a pause
/// between them, are the same. An order of the operator is performed and answered at once.
///
/// A value: no clock, no files. Time is a parameter.
package struct ReloadStateMachine: Sendable {
    /// Why a load happens; for the log.
    package enum Cause: String, Sendable, Equatable {
        /// SIGHUP or `aasa reload`.
        case order
        /// The folders have changed.
        case change
        /// A fleet's agent moved the link to another revision.
        case revision
        /// A certificate was installed, or one or a signature has reached an alarm or its end.
        case certificates
    }

    /// Without a change for so long, the folders count as settled: `rename(2)` follows its
    /// `write(2)` within milliseconds, the steps of certbot within some 100 ms.
    package static let quietTime: Duration = .milliseconds(250)
    /// Folders that never settle are read after this time.
    package static let settleTimeMaximum: Duration = .seconds(5)

    /// Set while there are changes that were not read.
    private var settling: (quietAt: MonotonicInstant, since: MonotonicInstant)?

    /// When to take the next fingerprint and call `load`; nil: there is nothing to wait for.
    package var deadline: MonotonicInstant? {
        settling.map { min($0.quietAt, $0.since + Self.settleTimeMaximum) }
    }

    /// A fingerprint differs from the last one, or from that of the last load.
    package mutating func changeNoticed(now: MonotonicInstant) {
        settling = (now + Self.quietTime, settling?.since ?? now)
    }

    /// The load to perform now; nil: none. One is enough for all who ask.
    ///
    /// Only an operator can confirm a loss, so a command comes before everything else.
    /// A revision is whole when the link leads to it, and read at once as well.
    ///
    /// - Parameter causes: what is asked for. The load after a change sees a certificate as well.
    package mutating func load(for causes: Set<Cause>, now: MonotonicInstant) -> Cause? {
        let cause: Cause? =
            if causes.contains(.order) {
                .order
            } else if causes.contains(.revision) {
                .revision
            } else if let deadline {
                now >= deadline ? .change : nil
            } else {
                causes.contains(.certificates) ? .certificates : nil
            }
        if cause != nil { settling = nil }
        return cause
    }
}
