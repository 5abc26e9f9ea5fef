/// Everything that one storm is told.
package struct StormConfiguration: Sendable {
    /// The most devices one storm plays: 16 bytes each in the schedule of retries.
    package static let mostDevices = 5_000_000
    /// The longest surge: an hour.
    package static let longestSurge = 3600.0
    /// The longest storm, retries and patience included: two hours.
    package static let longestStorm = 7200.0

    package var target: StormTarget
    package var schedule: ArrivalSchedule
    /// How long a device waits for a complete answer, in seconds; each device draws one of these.
    package var patience: [Double]
    package var http2 = false
    /// Offer the session of an earlier connection (a phone normally has none).
    package var resume = false
    package var threads = 2
    /// Loopback source addresses to spread over; 28,000 ports each.
    package var sourceAddresses = 16
    package var userAgents: [String]
    /// Retries after a 503: at most this many tries in all (the documented number is eight).
    package var tries = 1
    /// How much faster than life the retry clock runs: 10,800 makes three hours one second.
    package var retryScale = 10_800.0
    /// The most connections one generator thread holds at once.
    package var mostOpen = 100_000
    package var seed: UInt64 = 1

    package init(target: StormTarget, schedule: ArrivalSchedule, patience: [Double]) {
        self.target = target
        self.schedule = schedule
        self.patience = patience
        userAgents = Self.deviceUserAgents
    }

    /// User agents of devices that ask the site itself (facts: iOS 8 to 13, developer mode).
    package static let deviceUserAgents = [
        "swcd (unknown version) CFNetwork/711.1.16 Darwin/14.0.0",
        "swcd (unknown version) CFNetwork/978.0.7 Darwin/18.7.0",
        "com.apple.swcd (unknown version) CFNetwork/1121.2.2 Darwin/19.3.0",
    ]
}

/// Where a storm goes.
package struct StormTarget: Sendable, Equatable {
    /// The name in SNI and Host.
    package var host: String
    package var port: UInt16
    /// Address to connect to (IPv4 or IPv6, without brackets).
    package var address: String
    package var path: String
    /// PEM file of the authority to trust; nil: the system's.
    package var authorityFile: String?

    package init(
        host: String, port: UInt16, address: String, path: String, authorityFile: String? = nil
    ) {
        self.host = host
        self.port = port
        self.address = address
        self.path = path
        self.authorityFile = authorityFile
    }

    /// Whether the address is on this machine: 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        address == "::1" || address.hasPrefix("127.") || address == "localhost"
    }
}
