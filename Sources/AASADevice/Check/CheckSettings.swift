import AASAClient

/// The scope and the limits of `aasa check`.
package struct CheckSettings: Sendable {
    /// The simulated phone; its resolver, roots and limits serve every request. A check sets the
    /// era, and the reader of signatures by ``now``.
    package var phone: Device.Settings
    /// For all requests to a host: requests not sent or answered by then are skipped.
    package var deadline = Duration.seconds(30)
    /// Concurrent requests to one host: enough to finish a slow host in time, and few enough that
    /// no rate limiter blocks them.
    package var probesAtOnce = 8
    /// Whether to skip Apple's CDN.
    package var skipsCDN = false
    /// Whether to check assetlinks.json and the like, too.
    package var siblings = false
    /// From the request to the first byte.
    package var slowAfter = Duration.seconds(1)
    /// Seconds since 1970.
    package var now: Int64

    package init(now: Int64) {
        self.now = now
        phone = Device.Settings(
            app: nil, era: .ios14,
            signatures: SignedDocument.reader(authorityFile: nil, now: now))
    }

    /// Maximum of addresses to check: more than nearly every host has.
    static let addressMaximum = 16
    /// The paths that each address is asked for, before all other questions.
    static let addressPaths: [AssociationPath] = [.wellKnown, .root]
    /// Maximum of redirects: browsers follow 20, but a chain this long is an error already.
    static let hopMaximum = 6

    /// For the connection to one of so many addresses. Some are asked at once: even if all swallow
    /// packets, half of the deadline is left for what else is asked, unless an address had less
    /// than 2 seconds then. One packet that is lost makes no address silent.
    func connectLimit(addresses: Int) -> Duration {
        if addresses < 2 { return phone.limits.connect }
        let questions = addresses * Self.addressPaths.count
        let rounds = (questions + probesAtOnce - 1) / probesAtOnce
        let share = max(deadline / 2 / rounds, .seconds(2))
        return min(phone.limits.connect, ClientRequest.Limits.connectToOneOfSeveral, share)
    }
}
