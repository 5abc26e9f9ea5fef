/// How much of an HTTP/1.1 request head is read.
///
/// A phone's request is about 200 bytes with 8 fields; Apple's crawler sends about 300.
package struct HTTP1Limits: Sendable, Equatable {
    /// Bytes of a head, its empty line included: 64 KiB. Whoever asks for the document gets it,
    /// also with a query or with cookies of that size: a 4xx would be a final no, and a close
    /// without an answer an error that nobody can explain. A longer one whose request line is
    /// complete is answered without its remaining fields, and the connection is closed.
    ///
    /// Kept while it is not complete, at most for `ServerLimits.headTime`: 1,000 half-sent heads
    /// of this size are 64 MB, and who holds them has to send 13 MB/s to go on holding them.
    /// A head is searched once as it grows. The caller's buffer has to hold as many bytes.
    package var headBytes = 65_536
    /// Bytes of a request target that is one of ours or of our making: 2 KiB, above the 2,000
    /// characters that software agrees on. A longer one is answered, and the connection closed.
    package var targetBytes = 2048
    /// Fields of a head: eight times what a browser sends. A head with more is answered, and the
    /// connection closed.
    package var fieldCount = 64
    /// Empty lines before a request line: RFC 9112 §2.2 asks for at least one.
    package var emptyLineCount = 2

    package init() {}
}
