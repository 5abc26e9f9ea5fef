/// Bytes of HTTP/2 as a faulty server sends them, made without a library that would not.
package enum HTTP2Frames {
    /// RFC 9113 section 4.1.
    package static func frame(
        type: UInt8, flags: UInt8 = 0, stream: UInt8, _ payload: [UInt8]
    ) -> [UInt8] {
        let count = payload.count
        let length = [UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
        return length + [type, flags, 0, 0, 0, stream] + payload
    }

    /// The server's connection preface: no settings of its own.
    package static var settings: [UInt8] { frame(type: 4, stream: 0, []) }

    /// - Parameters:
    ///   - status: an index of HPACK's static table (RFC 7541 appendix A) with its mark.
    ///   - fields: names and values below 127 bytes.
    package static func answer(
        status: UInt8, fields: [(name: String, value: String)] = [], _ body: String
    ) -> [UInt8] {
        settings + frame(type: 1, flags: 4, stream: 1, [status] + fields.flatMap(literal))
            + frame(type: 0, flags: 1, stream: 1, Array(body.utf8))
    }

    /// A literal field without indexing and without Huffman's code (RFC 7541 section 6.2.2).
    private static func literal(_ field: (name: String, value: String)) -> [UInt8] {
        [0, UInt8(field.name.utf8.count)] + Array(field.name.utf8)
            + [UInt8(field.value.utf8.count)] + Array(field.value.utf8)
    }
}
