/// How much of an HTTP/1.1 request head is read.
///
/// A phone's request is about 200 bytes with 8 fields; Apple's crawler sends about 300. Each limit
/// leaves a factor of 20 or more and still lets 10,000 half-sent heads stay below 80 MB.
package struct HTTP1Limits: Sendable, Equatable {
    /// Bytes of a head, its empty line included: 8 KiB, what nginx and Apache read by default. A
    /// longer one whose request line is complete is answered without its remaining fields, and the
    /// connection is closed. The caller's buffer has to hold as many bytes.
    package var headBytes = 8192
    /// Bytes of a request target: 2 KiB, above the 2,000 characters that software agrees on.
    package var targetBytes = 2048
    /// Bytes of a method: the longest registered one, `UPDATEREDIRECTREF`, has 17.
    package var methodBytes = 32
    /// Fields of a head: eight times what a browser sends.
    package var fieldCount = 64
    /// Empty lines before a request line: RFC 9112 §2.2 asks for at least one.
    package var emptyLineCount = 2

    package init() {}
}
