package import HTTP

/// Every limit of the serving side, with its reason and arithmetic, in one place. What is read from
/// disk is limited in `SiteLimits`, TLS records in `TLSLimits`, heads and frames in `HTTP`.
///
/// The times are all below the 60 s after which a phone gives up on a silent server (overload.md
/// section 1). The defaults assume that a phone asks once; a front that pools connections, or a
/// benchmark, gets more by option.
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

    /// The same when slots run out and nobody is silent for longer: a quarter of a second is the
    /// round trip that a ClientHello needs behind the connection's opening.
    package var silenceUnderPressure: Duration = .milliseconds(250)

    /// Waiting for its handshake, with the ClientHello there: more than the 60 s after which a
    /// phone gives up, so that it is the client who decides.
    package var waitingTime: Duration = .seconds(75)

    /// From the first byte of a ClientHello to its last, and from our first flight to the end of
    /// the handshake. HAProxy advises "a few seconds, plus 3
    /// for each retransmission": two lost flights on a slow radio link fit.
    package var handshakeTime: Duration = .seconds(10)

    /// From the first byte of a request head to its end, absolute: each further byte does not
    /// extend it (slowloris). A head fits one segment.
    package var headTime: Duration = .seconds(5)

    /// Keep-alive without a request. A phone asks for the second path within milliseconds if it
    /// asks at all; each idle connection costs about 15 KB, so 10,000 idle phones hold 150 MB for
    /// at most this long.
    package var idleTime: Duration = .seconds(60)

    /// The same while clients wait for their handshake or descriptors are short.
    package var idleTimeUnderPressure: Duration = .seconds(5)

    /// Keep-alive without a request while draining: a request that crossed our decision on the wire
    /// arrives within a round trip (0.6 s by satellite) and a client's pause; it is answered with
    /// `Connection: close`.
    package var drainIdleTime: Duration = .seconds(2)

    /// An answer may take this long, whatever its progress. 128 KB at 8 KB/s are 16 s.
    package var answerTime: Duration = .seconds(20)

    /// After `answerGraceTime` an answer must have progressed at this rate on average: 4 KB/s is a
    /// tenth of EDGE's 30 KB/s.
    package var answerBytesPerSecondMinimum = 4096

    /// Before this time no rate is asked for: one retransmission time-out of 3 s and a pause.
    package var answerGraceTime: Duration = .seconds(5)

    /// After our last byte the peer may take this long to close: one retransmission and a round
    /// trip.
    package var lingerTime: Duration = .seconds(2)

    /// Whole life of a connection; a phone needs less than one second of it. Ended between requests
    /// only.
    package var connectionTime: Duration = .seconds(3600)

    // MARK: Amounts per connection

    /// A phone asks once or twice. Pooling fronts open a new connection each 1,000 requests: one
    /// handshake of 0.3 ms on 1,000 requests of 10 µs is 3 %.
    package var requestsPerConnection = 1000

    /// What a lingering connection may still send before it is cut (RST, which can cost a client
    /// its answer): content of 128 KiB, as over HTTP/2, with the records around it.
    package var lingerBytesMaximum = 160 * 1024

    /// Plaintext encrypted in one go and, at worst, held encrypted for a slow reader: four full TLS
    /// records. The rest of the document stays in the snapshot, shared by all.
    package var flightBytes = 64 * 1024

    /// SO_SNDBUF of accepted sockets. A document of 131,072 bytes with head and record overhead
    /// leaves in one go (the kernel doubles the figure and accounts for whole pages); 1,000 readers
    /// that never read park 1,000 x 192 KB = 192 MB, for 20 s.
    package var sendBufferBytes = 192 * 1024

    /// What one connection may write without the loop looking at the others: two of the greatest
    /// documents, about 0.1 ms.
    package var bytesPerTurn = 256 * 1024

    /// Heads of HTTP/1.1.
    package var http1 = HTTP1Limits()

    /// Budgets of HTTP/2.
    package var http2 = FloodLimits()

    /// Bytes kept of a ClientHello that is not whole: the longest that OpenSSL takes, 131,396
    /// bytes, with the headers of its nine records. What is longer is OpenSSL's to refuse.
    package var helloBytes = 132 * 1024

    /// Input of one connection that is held in memory of its own at most, whatever its peer sends:
    /// 260 KiB. Plaintext whose turn comes behind the answer under way, or a head that is not whole
    /// (`plaintextBytes`, 96 KiB), and behind it ciphertext of one `recv` (`receiveBytes`, 32 KiB)
    /// or of a ClientHello that came in parts (`helloBytes`, 132 KiB, of which the last came with
    /// one `recv`). HTTP/1.1 reads nothing more from the socket while it holds any; what is read
    /// over HTTP/2 goes into the session at once, whose own bounds stand in `FloodLimits`. A peer
    /// that goes on sending waits in its own socket.
    package var inputBytesPerConnection: Int { plaintextBytes + receiveBytes + helloBytes }

    // MARK: Amounts per worker

    /// What is decrypted at once: an unfinished head, and two records of 16 KiB (RFC 8446 section
    /// 5.1).
    package var plaintextBytes: Int { http1.headBytes + 2 * Buffers.recordBytes }

    /// Calls of `recv` for one connection in a turn: 128 KB before the others have theirs.
    package var receivesPerTurn = 4

    /// Bytes kept of all ClientHellos that are not whole: 8,000 whose second segment is late (a
    /// post-quantum key share makes 1.8 KB in two segments). Beyond it the one that has been silent
    /// longest gives way, first of the address with most silent ones.
    package var helloBytesInAll = 16 << 20

    /// Listen backlog at the start: 2 s of 8,192 handshakes/s. The kernel cuts it to
    /// net.core.somaxconn. Once the handshake rate is known: `AdmissionLimits.backlogSeconds`.
    package var backlog: Int32 = 16_384

    /// TCP_DEFER_ACCEPT: a client that has not sent its ClientHello costs no descriptor, and the
    /// first read after the accept finds it. 0 switches it off.
    package var deferAcceptSeconds: Int32 = 5

    /// Share of memory, or of what the kernel gives to TCP, from which readers that do not read
    /// give way, all of them: before anybody is refused.
    package var memoryShareOfReaders = 0.75

    /// Share of memory from which idle connections are ended early and documents are answered 503
    /// (a 503 is a hundredth of a large document): the rest is what answers under way still need.
    package var memoryShareSoft = 0.80

    /// Share of memory from which nobody is taken in: clients wait in the kernel's queue, which
    /// costs a tenth.
    package var memoryShareHard = 0.92

    /// Connections taken out of the queue per turn: at 12 µs each about 0.4 ms before the others
    /// have their turn.
    package var acceptsPerTurn = 32

    /// Connections of one worker; the descriptor limit decides
    /// (`connectionsMaximum(descriptors:workers:)`).
    package var connectionsMaximum = 100_000

    /// Events taken from the kernel at once.
    package var eventsPerTurn = 256

    /// Ciphertext read with one call: a ClientHello is 0.5 to 2 KB, requests 0.2 KB; large enough
    /// that a flood of pipelined requests costs few calls.
    package var receiveBytes = 32 * 1024

    /// How long the listeners rest when descriptors or memory are used up and nothing closes
    /// meanwhile.
    package var acceptPause: Duration = .milliseconds(500)

    /// Ephemeral key pairs made ahead while nobody waits: at 64 bytes 1 MiB, once they are made. A
    /// core begins 4,000 to 5,000 handshakes a second, so they last for 3 to 4 s of a surge at the
    /// full rate, and are made anew in as many. More by option: 65,536 are 4 MiB and 13 s. 0: none.
    /// Of a process with many workers each has its share (`keyReservePairs(asked:workers:)`).
    package var keyReservePairs = 16_384

    /// Which handshakes are started, and when.
    package var admission = AdmissionLimits()

    /// When documents are answered 503.
    package var shedding = ShedLimits()

    package init() {}

    package static let standard = ServerLimits()

    /// For few clients with many requests each: the bounds per connection that assume a phone are
    /// lifted, those on time, heads and what costs without an answer stay.
    package mutating func allowPooledClients() {
        requestsPerConnection = 1_000_000
        http2.requestsPerConnection = nil
        http2.bytes = .max
        http2.frames = .max
        // What nginx and h2o offer: a front that pools keeps many requests under way on one
        // connection.
        http2.concurrentStreams = 128
    }

    /// Descriptors that are never given to connections: log files, site and certificate files while
    /// reloading, admin connections, epoll, eventfd, signalfd, inotify and listeners.
    package static let descriptorsReserved = 64

    /// Key pairs made ahead in a process at most: 4 MiB.
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
