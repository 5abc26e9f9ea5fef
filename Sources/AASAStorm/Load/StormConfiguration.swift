package import Reactor

/// All settings of one storm.
package struct StormConfiguration: Sendable {
    /// Maximum of devices per storm: some 100 bytes each while they wait for a retry, so half a
    /// gigabyte if all of them wait.
    package static let mostDevices = 5_000_000
    /// Maximum duration of the surge: an hour.
    package static let longestSurge = 3600.0
    /// Maximum duration of the storm, including retries and patience: two hours.
    package static let longestStorm = 7200.0

    package var target: StormTarget
    package var schedule: ArrivalSchedule
    /// How long a device waits for a complete answer, in seconds; each device draws one of these.
    package var patience: [Double]
    package var eras = EraMix.standard
    /// For eras that support it.
    package var http2 = false
    /// Whether to offer the session of an earlier connection (a phone normally has none).
    package var resume = false
    package var threads = 2
    /// User agents to draw from at random; empty for the era's own.
    package var userAgents: [String] = []
    /// Maximum of tries per device (Apple documents eight); the era's rule decides when the next
    /// one follows.
    package var tries = 1
    /// The speed of the retry clock: three hours take a second.
    package static let retryScale = 10_800.0
    /// Maximum of open connections per generator thread.
    package var mostOpen = 100_000
    /// The random choices of a device depend on its number in the whole storm, not on the part or
    /// thread that simulates it.
    package var seed: UInt64 = 1
    /// The part of the schedule's devices that this generator simulates.
    package var part = StormPart.whole

    /// The useful number of generator threads: each keeps one processor busy, and a server on the
    /// same machine needs as many.
    package static func threads(processors: Int, sharedWithServer: Bool) -> Int {
        min(max(1, sharedWithServer ? processors / 2 : processors), 64)
    }

    package init(target: StormTarget, schedule: ArrivalSchedule, patience: [Double]) {
        self.target = target
        self.schedule = schedule
        self.patience = patience
    }
}

/// The target of a storm.
package struct StormTarget: Sendable, Equatable {
    /// The name in SNI and Host.
    package var host: String
    package var address: SocketAddress
    /// The one path for all devices; empty: each era's own paths.
    package var path: String
    /// PEM file of the trusted authority; nil: the certificate is not verified.
    package var authorityFile: String?

    package init(
        host: String, address: SocketAddress, path: String, authorityFile: String? = nil
    ) {
        self.host = host
        self.address = address
        self.path = path
        self.authorityFile = authorityFile
    }

    /// The value of `Host` and `:authority`.
    package var authority: String {
        let name = address.port == 443 ? "" : ":\(address.port)"
        return (host.contains(":") ? "[\(host)]" : host) + name
    }
}
