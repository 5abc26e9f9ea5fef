/// Who is at the other end of a simulated connection.
package enum PeerKind: String, CaseIterable, Sendable {
    // Those who mean it.
    /// TLS 1.2 and HTTP/1.1: two round trips before the request.
    case tls12
    /// TLS 1.3 and HTTP/1.1.
    case tls13
    /// TLS 1.3 and HTTP/2.
    case http2
    /// HTTP/2 with a key share so long that the ClientHello comes in two segments.
    case postQuantum = "post-quantum"
    /// Asks with `Connection: close`.
    case closing
    /// Ends its direction behind the request.
    case halfClosing = "half-closing"
    /// Asks for both association paths, one after the other.
    case bothPaths = "both-paths"
    /// A radio link of 30 KB/s, with a round trip of 0.6 s.
    case edge
    /// A front that keeps its connections and asks twenty times.
    case front

    // Those who do not.
    /// Connects and sends nothing.
    case silent
    case oneByte = "one-byte"
    case halfHello = "half-hello"
    /// A ClientHello, a few bytes each second.
    case helloDripper = "hello-dripper"
    /// A whole ClientHello, and nothing behind it.
    case neverAnswers12 = "never-answers-tls12"
    case neverAnswers13 = "never-answers-tls13"
    /// A whole ClientHello, then the end of its direction some milliseconds later.
    case leaver
    /// The same with a reset.
    case resetter
    /// Bytes that are no TLS.
    case noise
    /// A whole handshake, and nothing behind it.
    case handshaker
    /// A request head, a few bytes each second.
    case headDripper = "head-dripper"
    /// Asks, and reads a kilobyte per second.
    case slowReader = "slow-reader"
    /// Asks, and reads nothing.
    case neverReader = "never-reader"
    /// Sends requests of HTTP/1.1 without end, and reads the answers.
    case pipeliner
    /// The same, and reads nothing.
    case deafPipeliner = "deaf-pipeliner"
    /// HTTP/2 pings without end.
    case pinger
    /// HTTP/2 requests that are reset at once.
    case streamResetter = "stream-resetter"
    /// An HTTP/2 request whose window stays closed.
    case closedWindow = "closed-window"
    /// Eight HTTP/2 requests at once, all windows open, and reads nothing.
    case deafStreams = "deaf-streams"

    /// Means it: it is owed an answer.
    package var isHonest: Bool {
        switch self {
        case .tls12, .tls13, .http2, .postQuantum, .closing, .halfClosing, .bothPaths, .edge,
            .front:
            true
        default: false
        }
    }

    var speaksTLS12: Bool {
        switch self {
        case .tls12, .neverAnswers12, .edge: true
        default: false
        }
    }

    var speaksHTTP2: Bool {
        switch self {
        case .http2, .postQuantum, .pinger, .streamResetter, .closedWindow, .deafStreams: true
        default: false
        }
    }

    /// Answers that it asks for before it goes.
    var answersWanted: Int {
        switch self {
        case .bothPaths: 2
        case .front: 20
        case .deafStreams: 8
        default: 1
        }
    }

    /// Bytes per second that its reader takes; `nil`: as many as come.
    var bytesReadPerSecond: Int? {
        switch self {
        case .edge: 30_000
        case .slowReader: 1000
        case .neverReader, .deafPipeliner, .deafStreams: 0
        default: nil
        }
    }

    /// Share of a whole service that it asks for, when it comes once; `nil`: without bound.
    var servicesAsked: Double? {
        switch self {
        case .silent, .oneByte, .halfHello, .helloDripper, .noise: 0.1
        case .neverAnswers12, .neverAnswers13, .leaver, .resetter: 0.85
        case .handshaker, .headDripper, .slowReader, .neverReader, .closedWindow: 1
        case .pipeliner, .deafPipeliner, .pinger, .streamResetter: nil
        default: Double(answersWanted)
        }
    }

    package static let honest = allCases.filter(\.isHonest)
    package static let attackers = allCases.filter { !$0.isHonest }
}
