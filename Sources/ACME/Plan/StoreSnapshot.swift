package import Reactor

/// The state in a store, read only: for plans.
package struct StoreSnapshot {
    package let records: [CertificateRecord]
    package let accounts: [AccountState]
    /// What could not be read.
    package let problems: [String]

    package static func read(
        _ store: any CertificateStore, directories: [String]
    ) throws(Problem) -> StoreSnapshot {
        var problems: [String] = []
        var state = StoredState(store: store)
        let known = try state.read(directories: directories) { problems.append($0) }
        return StoreSnapshot(
            records: known.records, accounts: known.accounts, problems: problems)
    }

    /// The current state of each certificate, as in the engine.
    ///
    /// - Parameter covered: folder → the reason for leaving it alone.
    package func status(
        _ settings: RenewalSettings, wanted: [WantedCertificate], covered: [String: String],
        store: any CertificateStore
    ) throws(Problem) -> RenewalStatus {
        var engine = RenewalEngine(settings: settings)
        engine.remember(records: records, accounts: accounts, isStart: false)
        engine.update(wanted: wanted, contents: try store.contents(of: wanted, covered: covered))
        return engine.status(now: WallClock.seconds)
    }
}
