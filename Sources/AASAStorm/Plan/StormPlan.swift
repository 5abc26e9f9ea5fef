/// What a given capacity can answer: the arithmetic of `aasa storm plan`.
///
/// The bound (facts: overload, section 3): with a rate of `mu` answers per second, a surge of S
/// seconds and a patience of T seconds, no server and no policy answers more than mu·(S + T − 2)
/// devices: the two seconds are the round trips of the last ones. A 503 costs the same handshake as
/// a 200, so it helps only where the link is the limit. There aasa stays below that bound, as it
/// has to be right for devices that wait for ten seconds only: ``associated``.
package struct StormPlan: Sendable, Equatable {
    /// Bytes of one handshake with an ECDSA chain on the wire, both directions' larger share.
    package static let handshakeBytes = 4_200.0
    /// Bytes of a complete 503 with its head.
    package static let unavailableBytes = 200.0
    /// Seconds of patience lost to round trips.
    package static let roundTrips = 2.0
    /// aasa begins no document on a full link that would need longer (`ShedLimits`).
    package static let fullLinkAnswerSeconds = 5.0
    /// Up to this size a document fits TCP's first flight, and is never refused for the link.
    package static let shedDocumentBytes = 14_336.0
    /// Devices ask at most this often after a 503 (Apple: "up to eight tries").
    package static let mostTries = 8.0

    /// Full handshakes per second of one machine, as measured.
    package var handshakesPerSecond: Double
    /// The link in bits per second.
    package var linkBitsPerSecond: Double
    /// The document as it is sent, in bytes.
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

    /// What binds first.
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

    /// Seconds in which an answer still reaches somebody.
    package var window: Double { surgeSeconds + max(0, patienceSeconds - Self.roundTrips) }

    /// Seconds in which aasa has a full link carry documents. It cannot know how long a device
    /// waits, so it begins none that would need longer than ``fullLinkAnswerSeconds``; when the
    /// surge ends, half of what is under way has been sent, as a link is shared in equal parts.
    package var linkWindow: Double {
        surgeSeconds
            + min(max(0, patienceSeconds - Self.roundTrips), Self.fullLinkAnswerSeconds / 2)
    }

    /// The most devices that get 200 in their first try, whatever the policy.
    package var associatedAtMost: Double { min(devices, answersPerSecond * window) }

    /// Whether aasa answers 503 where the link is the limit.
    private var isShed: Bool {
        limit == .link && documentBytes > Self.shedDocumentBytes
    }

    /// Devices whose handshake is done in time, for whatever answer.
    private var reached: Double {
        isShed ? min(devices, unavailablePerSecond * window) : associatedAtMost
    }

    /// Devices that get 200 from aasa in their first try: on a full link the bytes of the others'
    /// handshakes and their 503 are not there for documents.
    package var associated: Double {
        guard isShed else { return associatedAtMost }
        let small = Self.handshakeBytes + Self.unavailableBytes
        let forDocuments = linkBitsPerSecond / 8 * linkWindow - reached * small
        return min(reached, max(0, forDocuments / (documentBytes - Self.unavailableBytes)))
    }

    /// Devices told to ask again where the link is the limit.
    package var willRetry: Double { reached - associated }

    /// Devices that cannot be answered at all.
    package var failed: Double { max(0, devices - reached) }

    /// Devices per minute that this capacity serves without end.
    package var devicesPerMinute: Double { answersPerSecond * 60 }

    /// How many machines like this one answer every device; nil where the link forbids it.
    package var machinesNeeded: Double? {
        guard window > 0, handshakesPerSecond > 0, devices <= linkRate * linkWindow else {
            return nil
        }
        return max(1, (devices / window / handshakesPerSecond).rounded(.up))
    }

    /// The link in bits per second that answers every device.
    package var linkNeeded: Double {
        guard linkWindow > 0 else { return 0 }
        return devices / linkWindow * (documentBytes + Self.handshakeBytes) * 8
    }

    /// Rounds of three hours until the last device is associated where the link is the limit.
    package var roundsNeeded: Double? {
        guard failed < 1 else { return nil }
        guard associated > 0 else { return nil }
        let rounds = (devices / associated).rounded(.up)
        return rounds <= Self.mostTries ? rounds : nil
    }

    /// The shortest surge (seconds) over which a staged release reaches everybody.
    package var safeSurgeSeconds: Double {
        guard answersPerSecond > 0 else { return .infinity }
        let rest = (isShed ? linkWindow : window) - surgeSeconds
        return max(0, devices / answersPerSecond - rest)
    }
}
