/// What a given capacity can answer: the arithmetic of `aasa storm plan`.
///
/// The bound (facts: overload, section 3): with a rate of `mu` answers per second, a surge of S
/// seconds and a patience of T seconds, no server and no policy answers more than mu·(S + T − 2)
/// devices; the two seconds are the round trips of the last ones. A 503 costs the same handshake as
/// a 200, so it helps only if the link is the limit. In that case aasa stays below the bound, as it
/// must serve devices that wait for ten seconds only: ``associated``.
package struct StormPlan: Sendable, Equatable {
    /// Bytes on the wire of one handshake with an ECDSA chain, in the larger direction.
    package static let handshakeBytes = 4_200.0
    /// Bytes of a complete 503 with its head.
    package static let unavailableBytes = 200.0
    /// Seconds of patience lost to round trips.
    package static let roundTrips = 2.0
    /// aasa starts no document on a full link that would take longer (`ShedLimits`).
    package static let fullLinkAnswerSeconds = 5.0
    /// Up to this size a document fits TCP's initial window, and is never refused because of the
    /// link.
    package static let shedDocumentBytes = 14_336.0
    /// Maximum of tries of a device after 503 (Apple: "up to eight tries").
    package static let mostTries = 8.0

    /// Full handshakes per second of one machine, as measured.
    package var handshakesPerSecond: Double
    /// The link in bits per second.
    package var linkBitsPerSecond: Double
    /// The size of the document as sent, in bytes.
    package var documentBytes: Double
    package var devices: Double
    package var surgeSeconds: Double
    package var patienceSeconds: Double
    package var machines: Double

    package init(
        handshakesPerSecond: Double, linkBitsPerSecond: Double, documentBytes: Double,
        devices: Double, surgeSeconds: Double, patienceSeconds: Double, machines: Double = 1
    ) {
        self.handshakesPerSecond = handshakesPerSecond
        self.linkBitsPerSecond = linkBitsPerSecond
        self.documentBytes = documentBytes
        self.devices = devices
        self.surgeSeconds = surgeSeconds
        self.patienceSeconds = patienceSeconds
        self.machines = machines
    }

    /// The first limit reached.
    package enum Limit: String, Sendable { case processor, link }

    /// Answers with 200 per second that the processors allow.
    package var processorRate: Double { handshakesPerSecond * machines }

    /// Answers with 200 per second that the link allows.
    package var linkRate: Double {
        linkBitsPerSecond / 8 / (documentBytes + Self.handshakeBytes)
    }

    package var limit: Limit { linkRate < processorRate ? .link : .processor }

    /// Answers with 200 per second.
    package var answersPerSecond: Double { min(processorRate, linkRate) }

    /// Answers with 503 per second.
    package var unavailablePerSecond: Double {
        min(processorRate, linkBitsPerSecond / 8 / (Self.unavailableBytes + Self.handshakeBytes))
    }

    /// Seconds in which an answer still reaches a device.
    package var window: Double { surgeSeconds + max(0, patienceSeconds - Self.roundTrips) }

    /// Seconds in which aasa sends documents over a full link. It cannot know how long a device
    /// waits, so it starts none that would take longer than ``fullLinkAnswerSeconds``. At the end
    /// of the surge, half of the data under way has been sent, as a link is shared equally.
    package var linkWindow: Double {
        surgeSeconds
            + min(max(0, patienceSeconds - Self.roundTrips), Self.fullLinkAnswerSeconds / 2)
    }

    /// Seconds in which a link that is full carries documents of this size: a small one is sent as
    /// long as anybody waits.
    private var documentWindow: Double {
        documentBytes > Self.shedDocumentBytes ? linkWindow : window
    }

    /// The upper bound of devices that get 200 in their first try, with any policy.
    package var associatedAtMost: Double { min(devices, answersPerSecond * window) }

    /// Whether aasa answers 503 because the link is the limit.
    private var isShed: Bool {
        limit == .link && documentBytes > Self.shedDocumentBytes
    }

    /// Devices whose handshake completes in time, for any answer.
    private var reached: Double {
        isShed ? min(devices, unavailablePerSecond * window) : associatedAtMost
    }

    /// Devices that get 200 from aasa in their first try. On a full link the handshakes and 503
    /// responses of the others take bytes from documents.
    package var associated: Double {
        guard isShed else { return associatedAtMost }
        let small = Self.handshakeBytes + Self.unavailableBytes
        let forDocuments = linkBitsPerSecond / 8 * linkWindow - reached * small
        return min(reached, max(0, forDocuments / (documentBytes - Self.unavailableBytes)))
    }

    /// Devices that get 503 because the link is the limit.
    package var willRetry: Double { reached - associated }

    /// Devices that get no answer.
    package var failed: Double { max(0, devices - reached) }

    /// Devices per minute that this capacity serves continuously.
    package var devicesPerMinute: Double { answersPerSecond * 60 }

    /// How many such machines answer every device; nil if the link is too slow.
    package var machinesNeeded: Double? {
        guard window > 0, handshakesPerSecond > 0, devices <= linkRate * documentWindow else {
            return nil
        }
        return max(1, (devices / window / handshakesPerSecond).rounded(.up))
    }

    /// The bandwidth in bits per second that answers every device.
    package var linkNeeded: Double {
        guard documentWindow > 0 else { return 0 }
        return devices / documentWindow * (documentBytes + Self.handshakeBytes) * 8
    }

    /// Rounds of three hours until the last device is associated, if the link is the limit.
    package var roundsNeeded: Double? {
        guard failed < 1 else { return nil }
        guard associated > 0 else { return nil }
        let rounds = (devices / associated).rounded(.up)
        return rounds <= Self.mostTries ? rounds : nil
    }

    /// The shortest surge (seconds) of a staged release that reaches every device.
    package var safeSurgeSeconds: Double {
        guard answersPerSecond > 0 else { return .infinity }
        let rest = (isShed ? linkWindow : window) - surgeSeconds
        return max(0, devices / answersPerSecond - rest)
    }
}
