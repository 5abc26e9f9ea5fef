import Reactor

/// The source addresses of a storm. One address has about 28,000 ports, and a closed connection
/// blocks its port for a minute (TIME_WAIT), so one address allows some 470 connections per second.
/// Loopback has 16 million addresses; ``count`` of them allow 30,000 per second.
struct SourceAddresses {
    /// 127.0.0.2, 127.0.0.3, …
    static let count: UInt32 = 64

    private let addresses: [SocketAddress]

    /// Spreads over loopback addresses for targets in 127.0.0.0/8; otherwise the kernel chooses.
    init(target: SocketAddress) {
        guard target.isLoopback, !target.isIPv6, !target.isUnix else {
            addresses = []
            return
        }
        addresses = (0..<Self.count).map { .v4(0x7F00_0002 + $0, port: 0) }
    }

    func next(using random: inout SplitMix) -> SocketAddress? {
        addresses.randomElement(using: &random)
    }
}
