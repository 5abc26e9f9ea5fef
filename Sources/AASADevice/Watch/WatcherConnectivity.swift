/// Whether the watcher itself is offline: then every host looks dead, which is one report about the
/// watcher and none about the hosts.
package struct WatcherConnectivity: Sendable, Equatable {
    /// Maximum of consecutive checks, of different hosts, without one connection.
    static let looksMaximum = 8
    /// With fewer hosts this cannot be decided.
    static let hostsMinimum = 4

    private let hosts: Int
    /// Hosts that were reachable at their last check: only their silence says something about the
    /// watcher. Hosts that were unreachable before do not count.
    private var reached: Set<String> = []
    private var silent: Set<String> = []
    package private(set) var isCutOff = false
    private var since: Int64 = 0

    package init(hosts: Int) { self.hosts = hosts }

    private var needed: Int {
        let count = reached.isEmpty ? hosts : reached.count
        return count < Self.hostsMinimum ? .max : min(count, Self.looksMaximum)
    }

    /// Processes how far a check got.
    ///
    /// - Returns: the report, if any, and whether the check says something about the host.
    package mutating func take(
        _ host: String, _ depth: WatchObservation.Depth, now: Int64
    ) -> (news: WatchChange?, counts: Bool) {
        if depth > .nothing {
            if !isCutOff { reached.subtract(silent) }
            silent = []
            reached.insert(host)
            guard isCutOff else { return (nil, true) }
            isCutOff = false
            return (change(.resolved, now, seconds: now - since), true)
        }
        guard reached.isEmpty || reached.contains(host) else { return (nil, !isCutOff) }
        if silent.isEmpty { since = now }
        if silent.count < Self.looksMaximum { silent.insert(host) }
        if isCutOff { return (nil, false) }
        guard silent.count >= needed else { return (nil, true) }
        isCutOff = true
        return (change(.problem, now), false)
    }

    private func change(
        _ kind: WatchChange.Kind, _ now: Int64, seconds: Int64? = nil
    ) -> WatchChange {
        let entry = CheckCatalog.entry(.watchCutOff)
        return WatchChange(
            time: now, host: "*", kind: kind, code: entry.code, severity: entry.severity,
            message: "none of \(min(hosts, Self.looksMaximum)) hosts in a row could be "
                + "connected to",
            remedy: entry.remedy, id: "*/\(entry.code)", since: since, seconds: seconds)
    }
}
