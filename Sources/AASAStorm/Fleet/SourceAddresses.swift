import Reactor

/// The source addresses of a storm. One address has about 28,000 ports, and a closed connection
/// blocks its port for a minute (TIME_WAIT), so one address allows some 470 connections per second.
/// Loopback has 16 million addresses.
struct SourceAddresses {
    private let addresses: [SocketAddress]

    /// - Parameter count: how many of 127.0.0.2, 127.0.0.3, … to use; only for targets in
    ///   127.0.0.0/8. Otherwise the kernel chooses.
    init(target: SocketAddress, count: Int) {
        guard target.isLoopback, !target.isIPv6, !target.isUnix else {
            addresses = []
            return
        }
        addresses = (0..<min(max(count, 0), 250)).map {
            .v4(0x7F00_0002 + UInt32($0), port: 0)
        }
    }

    func next(using random: inout SplitMix) -> SocketAddress? {
        addresses.randomElement(using: &random)
    }
}
