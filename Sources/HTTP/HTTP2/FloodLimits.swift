/// What one HTTP/2 connection may cost.
///
/// The yardstick: a phone asks once, with about 8 frames and 500 bytes (preface, SETTINGS,
/// WINDOW_UPDATE, HEADERS, SETTINGS acknowledgement, GOAWAY). Every budget leaves a factor of 15
/// or more for that, and each answer earns more, so that a crawler or a benchmark that asks
/// thousands of times is bounded by ``requestsPerConnection`` alone. Who asks for nothing and
/// sends frames all the same runs out.
package struct FloodLimits: Sendable, Equatable {
    /// SETTINGS_MAX_CONCURRENT_STREAMS: a crawler needs both paths, siblings included 8.
    package var concurrentStreams = 8
    /// Requests answered before the connection ends with GOAWAY; nil for no limit. 1,000, as over
    /// HTTP/1.1 and as nginx has it: a front that pools its connections pays one handshake on a
    /// thousand requests. What a flood costs is bounded by the budgets below, which answers earn.
    package var requestsPerConnection: Int? = 1000

    /// Bytes received: 64 KiB hold a 40 KB header (which is answered) and 100 ordinary requests;
    /// another 64 KiB are content, one initial window: what a client may have sent before it learns
    /// that nobody wants it.
    package var bytes = 131_072
    /// Bytes earned with each answer: a full header list.
    package var bytesPerAnswer = 8192

    /// Frames received at once: 25 times what a phone sends.
    package var frames = 200
    /// Frames earned per second: a ping, a priority or a window update now and then.
    package var framesPerSecond = 20
    /// Frames earned with each answer: HEADERS, its CONTINUATION and priority frames, RST_STREAM.
    package var framesPerAnswer = 16
    /// Bytes of content that earn two frames: a WINDOW_UPDATE for stream and connection each 4 KiB,
    /// a sixteenth of the default window. Windows of one byte do not pay for themselves.
    package var bytesPerWindowUpdate = 4096

    /// SETTINGS frames, acknowledgements aside: one opens the connection, few change anything.
    package var settings = 16
    package var settingsPerSecond = 1
    /// PING frames, acknowledgements aside: keep-alive pings come seconds apart.
    package var pings = 16
    package var pingsPerSecond = 1
    /// RST_STREAM received: twice the streams that can be open.
    package var resets = 16
    package var resetsPerSecond = 1
    /// Resets earned with each answer: a front whose clients leave cancels fewer requests than it
    /// reads answers. Who cancels each request earns nothing (CVE-2023-44487).
    package var resetsPerAnswer = 1
    /// Stream errors over the life of a connection: a correct peer makes none.
    package var provokedResets = 8
    /// CONTINUATION frames of one field block: 8 of 16 KiB hold the whole byte budget.
    package var continuations = 8
    /// Unsent acknowledgements of SETTINGS and PING: a peer that reads never has two.
    package var acknowledgements = 16
    /// Entries of one SETTINGS frame: RFC 9113 and its extensions know 9.
    package var settingsEntries = 32

    /// SETTINGS_MAX_HEADER_LIST_SIZE: 64 KiB as for HTTP/1.1, with 16 KiB for the 32 bytes that
    /// each field counts in addition (512 fields). Fields beyond are not looked at; the request is
    /// answered. Of the values only four are kept, by reference, while their block lasts.
    package var headerListBytes = 81_920
    /// Decoded bytes of one field block that end the connection: what no honest request reaches,
    /// as the byte budget bounds it before decoding, and an HPACK bomb passes after 24 references
    /// to an entry of 4 KiB.
    package var headerListBytesMaximum = 98_304

    /// Time without an answer or a part of one getting through: 20 s.
    package var stallNanoseconds: UInt64 = 20_000_000_000
    /// Bytes per second that keep an answer alive: 4 KiB/s bring the largest document
    /// (131,072 bytes) across in 32 s.
    package var minimumBytesPerSecond = 4096

    package init() {}

    /// No limit but those of the protocol: for clients, which chose their server.
    package static var none: FloodLimits {
        var limits = FloodLimits()
        limits.requestsPerConnection = nil
        limits.bytes = .max
        limits.frames = .max
        limits.settings = .max
        limits.pings = .max
        limits.resets = .max
        limits.provokedResets = .max
        limits.continuations = .max
        return limits
    }
}
