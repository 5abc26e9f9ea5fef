/// Plain HTTP on the port that speaks HTTPS.
enum PlainHTTP {
    /// Sent as it is. Neither a document nor a 503: without TLS the client has not asked for a
    /// document.
    static let answer: StaticString = """
        HTTP/1.1 400 Bad Request\r
        Content-Type: text/plain\r
        Content-Length: 63\r
        Connection: close\r
        \r
        This port speaks HTTPS: write https:// in place of http:// here
        """

    /// The methods of RFC 9110 section 9, and the preface of HTTP/2 (RFC 9113 section 3.4).
    private static let methods: [StaticString] = [
        "GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "OPTIONS ", "PATCH ", "CONNECT ", "TRACE ",
        "PRI * HTTP/2",
    ]

    /// Whether bytes that are no ClientHello begin a request. At least five bytes are given.
    static func isRequest(_ bytes: UnsafeRawBufferPointer) -> Bool {
        methods.contains { method in
            method.withUTF8Buffer { zip($0, bytes).allSatisfy { $0 == $1 } }
        }
    }
}
