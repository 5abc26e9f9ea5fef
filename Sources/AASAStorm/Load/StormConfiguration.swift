package import Reactor

/// Everything that one storm is told.
package struct StormConfiguration: Sendable {
    /// The most devices one storm plays: some 100 bytes each while they wait for a retry, so half a
    /// gigabyte if all of them do.
    package static let mostDevices = 5_000_000
    /// The longest surge: an hour.
    package static let longestSurge = 3600.0
    /// The longest storm, retries and patience included: two hours.
    package static let longestStorm = 7200.0

    package var target: StormTarget
    package var schedule: ArrivalSchedule
    /// How long a device waits for a complete answer, in seconds; each device draws one of these.
    package var patience: [Double]
    package var eras = EraMix.standard
    /// For the eras that speak it.
    package var http2 = false
    /// Offer the session of an earlier connection (a phone normally has none).
    package var resume = false
    package var threads = 2
    /// The light client, where an era speaks TLS 1.3; it resumes nothing.
    package var isLight = false
    /// The light client verifies the server's signature of one device in so many.
    package static let signatureSample = 64
    /// Loopback source addresses to spread over; 28,000 ports each.
    package var sourceAddresses = 16
    /// What devices call themselves, drawn at random; empty: what their era does.
    package var userAgents: [String] = []
    /// At most this many tries per device (the documented number is eight); when the next one comes
    /// is the era's rule.
    package var tries = 1
    /// How much faster than life the retry clock runs: 10,800 makes three hours one second.
    package var retryScale = 10_800.0
    /// The most connections one generator thread holds at once.
    package var mostOpen = 100_000
    /// Devices draw by their number in the whole storm: the same whichever part or thread plays
    /// them.
    package var seed: UInt64 = 1
    /// Which of the schedule's devices this generator plays.
    package var part = StormPart.whole

    /// How many generator threads are worth it: each keeps one processor busy, and a server on the
    /// same machine wants as many.
    package static func threads(processors: Int, sharedWithServer: Bool) -> Int {
        min(max(1, sharedWithServer ? processors / 2 : processors), 64)
    }

    package init(target: StormTarget, schedule: ArrivalSchedule, patience: [Double]) {
        self.target = target
        self.schedule = schedule
        self.patience = patience
    }
}

/// Where a storm goes.
package struct StormTarget: Sendable, Equatable {
    /// The name in SNI and Host.
    package var host: String
    package var address: SocketAddress
    /// The one path that all devices ask; empty: each asks where its era looks.
    package var path: String
    /// PEM file of the authority to trust; nil: the certificate is not looked at.
    package var authorityFile: String?

    package init(
        host: String, address: SocketAddress, path: String, authorityFile: String? = nil
    ) {
        self.host = host
        self.address = address
        self.path = path
        self.authorityFile = authorityFile
    }

    /// What stands in `Host` and `:authority`.
    package var authority: String {
        let name = address.port == 443 ? "" : ":\(address.port)"
        return (host.contains(":") ? "[\(host)]" : host) + name
    }
}
