package import HTTP

/// Every limit of the serving side, with its reason and arithmetic, in one place. `SiteLimits`
/// limits what is read from disk, `TLSLimits` TLS records, and `HTTP` heads and frames.
///
/// The limits of a handshake, a request head and an answer are all below the 60 s after which a
/// phone gives up on a silent server (overload.md section 1); the wait for a handshake is longer on
/// purpose. The defaults assume that a phone asks once; an option raises them for a front that
/// pools connections, or for a benchmark.
package struct ServerLimits: Sendable, Equatable {
    // MARK: Time

    /// From the accept to the first byte. A phone sends its ClientHello with the ACK of the
    /// handshake; after 5 s two retransmissions of TCP have passed (1 s, 2 s).
    package var firstByteTime: Duration = .seconds(5)

    /// The same for a client that came out of a queue that was full for a while: its ClientHello
    /// was dropped there, and TCP repeats it after 0.2, 0.4, 0.8 … 12.8 s. Measured: at five times
    /// the load one in a thousand clients was cut off by the shorter time. Under descriptor
    /// pressure the shorter time holds.
    package var firstByteTimeAfterQueue: Duration = .seconds(20)

    /// The same when slots run out and no client has been silent for longer, and when memory for
    /// parts of ClientHellos runs out. The second segment of a long ClientHello (post-quantum keys)
    /// that was lost comes again after 200 ms and a round trip (the least timeout of Linux and XNU;
    /// RFC 6298): 300 ms are one over a bad radio link.
    package var silenceUnderPressure: Duration = .milliseconds(500)

    /// How long a client whose ClientHello has arrived may wait for its handshake: more than the 60
    /// s after which a phone gives up, so that the client decides when to leave.
    package var waitingTime: Duration = .seconds(75)

    /// From the first byte of a ClientHello to its last, and from our first flight to the end of
    /// the handshake. HAProxy advises "a few seconds, plus 3
    /// for each retransmission": two lost flights on a slow radio link fit.
    package var handshakeTime: Duration = .seconds(10)

    /// From the first byte of a request head to its end. Absolute: further bytes do not extend it
    /// (slowloris). A head fits one segment.
    package var headTime: Duration = .seconds(5)

    /// Keep-alive without a request. A phone asks for the second path within milliseconds if it
    /// asks at all; each idle connection costs about 15 KB, so 10,000 idle phones hold 150 MB for
    /// at most this long.
    package var idleTime: Duration = .seconds(60)

    /// The same while clients wait for their handshake or descriptors are short.
    package var idleTimeUnderPressure: Duration = .seconds(5)

    /// Keep-alive without a request while draining. A request may be on its way while we decide to
    /// close: it arrives within a round trip (0.6 s by satellite) and a client's pause. It is
    /// answered with `Connection: close`.
    package var drainIdleTime: Duration = .seconds(2)

    /// The longest time for an answer, whatever its progress. 128 KB at 8 KB/s are 16 s.
    package var answerTime: Duration = .seconds(20)

    /// After `answerGraceTime` an answer must have progressed at this rate on average: 4 KB/s is a
    /// tenth of EDGE's 30 KB/s.
    package var answerBytesPerSecondMinimum = 4096

    /// Before this time no minimum rate applies: one retransmission time-out of 3 s and a pause.
    package var answerGraceTime: Duration = .seconds(5)

    /// After our last byte the peer may take this long to close: one retransmission and a round
    /// trip.
    package var lingerTime: Duration = .seconds(2)

    /// The longest lifetime of a connection; a phone needs less than one second. A connection is
    /// only ended between requests.
    package var connectionTime: Duration = .seconds(3600)

    // MARK: Amounts per connection

    /// A phone asks once or twice. A pooling front has to open a new connection every 1,000
    /// requests: one handshake of 0.3 ms per 1,000 requests of 10 µs is 3 %.
    package var requestsPerConnection = 1000

    /// How much a lingering connection may still send before we reset it (the RST can cost a client
    /// its answer): content of 128 KiB, as over HTTP/2, with the records around it.
    package var lingerBytesMaximum = 160 * 1024

    /// Plaintext that is encrypted in one go, and in the worst case held encrypted for a slow
    /// reader: four full TLS records. The rest of the document stays in the snapshot, which all
    /// connections share.
    package var flightBytes = 64 * 1024

    /// SO_SNDBUF of accepted sockets. A document of 131,072 bytes with head and record overhead
    /// leaves in one go (the kernel doubles the figure and accounts for whole pages). A reader that
    /// never reads was measured to hold 384 KB: 1,000 of them hold 384 MB, for 20 s, and less where
    /// memory is short (`ShedLimits.stalledReadersMaximum`, `memoryShareOfReaders`).
    package var sendBufferBytes = 192 * 1024

    /// How much one connection may write before the loop turns to the others: two of the largest
    /// documents, about 0.1 ms.
    package var bytesPerTurn = 256 * 1024

    /// Heads of HTTP/1.1.
    package var http1 = HTTP1Limits()

    /// Budgets of HTTP/2.
    package var http2 = FloodLimits()

    /// Bytes kept of an incomplete ClientHello: the longest that OpenSSL takes, 131,396 bytes, with
    /// the headers of its nine records. OpenSSL refuses a longer one itself.
    package var helloBytes = 132 * 1024

    /// The most input of one connection that is held in memory of its own, whatever its peer sends:
    /// 260 KiB. This is plaintext that waits for the answer under way, or an incomplete head
    /// (`plaintextBytes`, 96 KiB), and after it ciphertext of one `recv` (`receiveBytes`, 32 KiB)
    /// or of a ClientHello that came in parts (`helloBytes`, 132 KiB, of which the last came with
    /// one `recv`). While HTTP/1.1 holds any, it reads nothing more from the socket. Over HTTP/2
    /// all that is read goes into the session at once, whose own bounds are in `FloodLimits`. If a
    /// peer sends more, its data waits in its own socket.
    package var inputBytesPerConnection: Int { plaintextBytes + receiveBytes + helloBytes }

    // MARK: Amounts per worker

    /// What is decrypted at once: an unfinished head, and two records of 16 KiB (RFC 8446 section
    /// 5.1).
    package var plaintextBytes: Int { http1.headBytes + 2 * Worker.recordBytes }

    /// Calls of `recv` for one connection in a turn: 128 KB before the loop turns to the others.
    package var receivesPerTurn = 4

    /// Bytes kept of all incomplete ClientHellos: 8,000 whose second segment is late (a
    /// post-quantum key share makes 1.8 KB in two segments). Above it, the client with the largest
    /// product of bytes and time held gives way, but none within `silenceUnderPressure`; until
    /// there is one, none is accepted. What arrives meanwhile on connections that were accepted
    /// before comes on top: half a second of the link.
    package var helloBytesInAll = 16 << 20

    /// Listen backlog at the start: 2 s of 8,192 handshakes/s. The kernel cuts it to
    /// net.core.somaxconn. Once the handshake rate is known: `AdmissionLimits.backlogSeconds`.
    package var backlog: Int32 = 16_384

    /// TCP_DEFER_ACCEPT: a client that has not sent its ClientHello costs no descriptor, and the
    /// first read after the accept finds the ClientHello. 0 switches it off.
    package var deferAcceptSeconds: Int32 = 5

    /// Share of memory, or of what the kernel gives to TCP, from which all readers that do not read
    /// give way, before any other client is refused.
    package var memoryShareOfReaders = 0.75

    /// Share of memory from which idle connections are ended early and large documents are answered
    /// 503 (a 503 has a hundredth of their size). Answers under way need the rest.
    package var memoryShareSoft = 0.80

    /// Share of memory from which no connection is accepted and no handshake begun: clients wait in
    /// the kernel's queue, which costs a tenth.
    package var memoryShareHard = 0.92

    /// Share of memory from which free memory goes back to the kernel when connections have ended:
    /// two peaks of different blocks, one after the other, fit side by side below it.
    package var memoryShareReturned = 0.25

    /// Connections of a kind that give way at a look that finds no memory free for new ones, at 37
    /// KB each: 2.4 MB every 20 ms, as much as 3,200 new connections a second take.
    package var evictionsPerMemoryLook = 64

    /// The least time between two returns of free memory to the kernel, in the whole process, and
    /// for each GB: a return takes some 10 ms for each, so it takes 1 % of the time at most.
    package var memoryTrimPause = Duration.seconds(1)

    /// Connections accepted from the queue per turn: at 12 µs each about 0.4 ms before the loop
    /// turns to the others.
    package var acceptsPerTurn = 32

    /// Connections of one worker; the descriptor limit decides
    /// (`connectionsMaximum(descriptors:workers:)`).
    package var connectionsMaximum = 100_000

    /// Events taken from the kernel at once.
    package var eventsPerTurn = 256

    /// Ciphertext read with one call: a ClientHello is 0.5 to 2 KB, requests 0.2 KB; large enough
    /// that a flood of pipelined requests costs few calls.
    package var receiveBytes = 32 * 1024

    /// How long accepting pauses when descriptors or memory are used up and no connection closes
    /// meanwhile.
    package var acceptPause: Duration = .milliseconds(500)

    /// Ephemeral key pairs made ahead while no client waits: 1 MiB when full, 64 bytes each. A core
    /// begins 4,000 to 5,000 handshakes a second, so the reserve lasts for 3 to 4 s of a surge at
    /// the full rate, and takes as long to fill again. More by option: 65,536 are 4 MiB and 13 s.
    /// 0: none. In a process with many workers each has its share
    /// (`keyReservePairs(asked:workers:)`).
    package var keyReservePairs = 16_384

    /// Which handshakes are started, and when.
    package var admission = AdmissionLimits()

    /// When documents are answered 503.
    package var shedding = ShedLimits()

    package init() {}

    package static let standard = ServerLimits()

    /// For few clients with many requests each: lifts the bounds per connection that assume a
    /// phone. Bounds on time, on heads and on work without an answer stay.
    package mutating func allowPooledClients() {
        requestsPerConnection = 1_000_000
        http2.requestsPerConnection = nil
        http2.bytes = .max
        http2.frames = .max
        // As nginx and h2o offer: a front that pools connections keeps many requests under way on
        // each.
        http2.concurrentStreams = 128
        // A front passes on that its clients leave, all at once when one of its machines ends: the
        // streams of eight such moments, and a tenth of the requests that a core answers. A reset
        // request costs no more than one that is answered.
        http2.resets = 8 * http2.concurrentStreams
        http2.resetsPerSecond = 1000
        // Keep-alive pings of many small pools that became one.
        http2.pings = 128
        http2.pingsPerSecond = 10
        http2.acknowledgements = 2 * (http2.pings + http2.settings)
    }

    /// Descriptors that are never given to connections: log files, site and certificate files while
    /// reloading, admin connections, epoll, eventfd, signalfd, inotify and listeners.
    package static let descriptorsReserved = 64

    /// The most key pairs made ahead in a process: 4 MiB.
    package static let keyReservePairsInAll = 65_536

    /// Each worker's key pairs: what the operator asked for, else the standing limit within
    /// `keyReservePairsInAll`.
    package static func keyReservePairs(asked: Int?, workers: Int) -> Int {
        asked ?? min(standard.keyReservePairs, keyReservePairsInAll / max(1, workers))
    }

    /// Each worker's share of the process' descriptors.
    package static func connectionsMaximum(descriptors: Int, workers: Int) -> Int {
        max(16, (descriptors - descriptorsReserved) / max(1, workers))
    }
}
