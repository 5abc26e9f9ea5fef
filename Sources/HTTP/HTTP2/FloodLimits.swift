/// The limits of one HTTP/2 connection.
///
/// The reference: a phone asks once, with about 8 frames and 500 bytes (preface, SETTINGS,
/// WINDOW_UPDATE, HEADERS, SETTINGS acknowledgement, GOAWAY). Every budget allows at least 15 times
/// that, and each answer earns more, so that a crawler or a benchmark with thousands of requests is
/// limited by ``requestsPerConnection`` alone. A peer that sends frames without requests exhausts
/// its budgets.
package struct FloodLimits: Sendable, Equatable {
    /// SETTINGS_MAX_CONCURRENT_STREAMS: a crawler needs both paths, with siblings 8.
    package var concurrentStreams = 8
    /// Requests answered before the connection ends with GOAWAY; nil for no limit. 1,000, as for
    /// HTTP/1.1 and as in nginx: a proxy that pools its connections pays one handshake per thousand
    /// requests. The budgets below, which answers refill, bound the cost of a flood.
    package var requestsPerConnection: Int? = 1000

    /// Bytes received: as many requests as may run at once, with the longest header lists. They
    /// are decrypted and decoded, and not kept.
    package var bytes = 655_360
    /// Bytes that have to be left for an answer to wait for content: so content of up to 112 KiB
    /// less the heads is received before its answer.
    package var bytesLeftForContent = 540_672
    /// How long an answer waits for content: 112 KiB at 23 KB/s.
    package var contentNanoseconds: UInt64 = 5_000_000_000
    /// Bytes earned with each answer: the longest header list.
    package var bytesPerAnswer = 81_920

    /// Frames received in a burst: 25 times what a phone sends.
    package var frames = 200
    /// Frames earned per second: for an occasional ping, priority or window update.
    package var framesPerSecond = 20
    /// Frames earned with each answer: HEADERS, its CONTINUATION and priority frames, RST_STREAM.
    package var framesPerAnswer = 16
    /// Bytes of content that earn two frames: a WINDOW_UPDATE for stream and connection per 4 KiB,
    /// a sixteenth of the default window. Windows of one byte exceed the budget.
    package var bytesPerWindowUpdate = 4096

    /// SETTINGS frames without acknowledgements: one opens the connection, few change anything.
    package var settings = 16
    package var settingsPerSecond = 1
    /// PING frames without acknowledgements: keep-alive pings come seconds apart.
    package var pings = 16
    package var pingsPerSecond = 1
    /// RST_STREAM received: twice the number of concurrent streams.
    package var resets = 16
    package var resetsPerSecond = 1
    /// Resets earned with each answer: a proxy whose clients leave cancels fewer requests than it
    /// reads answers. A peer that cancels each request earns nothing (CVE-2023-44487).
    package var resetsPerAnswer = 1
    /// Stream errors over the life of a connection: a correct peer causes none.
    package var provokedResets = 8
    /// CONTINUATION frames of one field block: 8 of 16 KiB hold the largest header list.
    package var continuations = 8
    /// Unsent acknowledgements of SETTINGS and PING, twice what the budgets of both allow at once:
    /// after a pause of the process all arrive in one read, before the first is answered.
    package var acknowledgements = 64
    /// Entries of one SETTINGS frame: RFC 9113 and its extensions define 9.
    package var settingsEntries = 32

    /// SETTINGS_MAX_HEADER_LIST_SIZE: 64 KiB as for HTTP/1.1, plus 16 KiB for the 32 bytes that are
    /// counted for each field (512 fields). Fields beyond it are ignored, and the request is
    /// answered. Only four values are kept, by reference, while their block lasts.
    package var headerListBytes = 81_920
    /// Decoded bytes of one field block that end the connection. A client that obeys our SETTINGS
    /// stays below it. An HPACK bomb exceeds it after 24 references to an entry of 4 KiB.
    package var headerListBytesMaximum = 98_304

    /// Time without progress of any answer: 20 s.
    package var stallNanoseconds: UInt64 = 20_000_000_000
    /// Bytes per second that keep an answer alive: at 4 KiB/s the largest document (131,072 bytes)
    /// takes 32 s.
    package var minimumBytesPerSecond = 4096

    package init() {}
}
