/// Limits of an HTTP/1.1 request head.
///
/// A phone's request is about 200 bytes with 8 fields; Apple's crawler sends about 300.
package struct HTTP1Limits: Sendable, Equatable {
    /// Bytes of a head, including its empty line: 64 KiB. A client that asks for the document gets
    /// it, even with a query or cookies of that size: a 4xx would be final, and a close without an
    /// answer an unexplained error. A longer head with a complete request line is answered without
    /// its remaining fields, and the connection is closed.
    ///
    /// An incomplete head is kept for at most `ServerLimits.headTime`: 1,000 half-sent heads of
    /// this size take 64 MB, and an attacker has to send 13 MB/s to keep them. Each byte of a
    /// growing head is searched once. The caller's buffer must hold as many bytes.
    package var headBytes = 65_536
    /// Bytes of a request target that we serve or generate: 2 KiB, above the 2,000 characters that
    /// software commonly supports. A longer one is answered, and the connection is closed.
    package var targetBytes = 2048
    /// Fields of a head: eight times what a browser sends. A head with more is answered, and the
    /// connection is closed.
    package var fieldCount = 64
    /// Empty lines before a request line: RFC 9112 §2.2 asks for at least one.
    package var emptyLineCount = 2

    package init() {}
}
