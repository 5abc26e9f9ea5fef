/// The state of the renewals, for the status page, metrics and `aasa status`.
package struct RenewalStatus: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        package let folder: String
        package let isRSA: Bool
        package let names: [String]
        /// `good`, `due`, `waiting`, `foreign`.
        package let state: String
        /// One sentence.
        package let note: String
        /// Seconds since 1970; nil if there is no certificate.
        package let notAfter: Int64?
        /// The time of the next renewal or retry; nil: never, as others manage it.
        package let next: Int64?
        /// Attempts since the last success.
        package let tries: Int
        package let lastError: String?
        package let remedy: String?
        /// The authority of the next request.
        package let authority: String
    }

    package var entries: [Entry] = []
    package var succeeded = 0
    package var failed = 0
    /// Whether this process holds the lease; otherwise another may.
    package var isOrdering = false
    /// Why nothing can be stored; nil: no error.
    package var storeError: String?

    package init() {}
}

extension RenewalEngine {
    package func status(now: Int64) -> RenewalStatus {
        var status = RenewalStatus()
        status.succeeded = succeeded
        status.failed = failed
        for id in lineages {
            let record = record(of: id)
            let state: String
            let note: String
            var next: Int64?
            switch standing(of: id, now: now) {
            case .foreign(let why): (state, note) = ("foreign", "not managed: \(why)")
            case .good(let renewal):
                (state, note, next) = ("good", "will be renewed in time", renewal)
            case .due(let why):
                let start = startTime(record, now)
                (state, note, next) = (start > now ? "waiting" : "due", why, start)
            }
            status.entries.append(
                RenewalStatus.Entry(
                    folder: id.folder, isRSA: id.isRSA, names: names(of: id, now: now).ordered,
                    state: state, note: note, notAfter: facts(of: id)?.notAfter, next: next,
                    tries: record.failures, lastError: record.lastError,
                    remedy: record.lastRemedy,
                    authority: KnownAuthority.host(
                        of: authority(for: record, now: now).directory)))
        }
        return status
    }
}
