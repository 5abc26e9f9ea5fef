import CNGHTTP2
import TestSupport
import Testing

@testable import HTTP

@Suite struct HTTP2FieldBlockTests {
    private func list(_ block: HTTP2FieldBlock, second: Int64 = 784_111_777) -> [String] {
        let date = HTTPDate(unixSeconds: second)
        return withExtendedLifetime(date) {
            block.withFields(date: date) { fields, count in
                UnsafeBufferPointer(start: fields, count: count).map { field in
                    func text(_ start: UnsafeMutablePointer<UInt8>?, _ count: Int) -> String {
                        String(
                            decoding: UnsafeRawBufferPointer(start: start, count: count),
                            as: UTF8.self)
                    }
                    return text(field.name, field.namelen) + "=" + text(field.value, field.valuelen)
                }
            }
        }
    }

    private func block(_ fields: [(String, String)]) -> HTTP2FieldBlock {
        HTTP2FieldBlock(
            status: 200, fields: fields.map { HTTPField(name: $0.0, value: $0.1) })
    }

    /// Pseudo-header fields come first (RFC 9113 section 8.3).
    @Test func `The status comes first, the date last, and names are in lower case`() {
        let block = block([("Content-Type", "Text/Plain"), ("X-Empty", "")])
        expectEqual(
            list(block),
            [
                ":status=200", "content-type=Text/Plain", "x-empty=",
                "date=Sun, 06 Nov 1994 08:49:37 GMT",
            ])
    }

    @Test func `The next date is in the same block`() {
        let block = block([])
        expectEqual(list(block).last, "date=Sun, 06 Nov 1994 08:49:37 GMT")
        expectEqual(list(block, second: 784_111_778).last, "date=Sun, 06 Nov 1994 08:49:38 GMT")
    }

    /// A peer has to treat a message with one of them as malformed (RFC 9113 section 8.2.2).
    @Test(arguments: [
        "Connection", "Keep-Alive", "proxy-connection", "Transfer-Encoding", "UPGRADE",
    ])
    func `What is about a connection of HTTP1 is left out`(name: String) {
        expectEqual(list(block([(name, "x"), ("A", "b")])).dropLast(), [":status=200", "a=b"])
    }

    /// They are referred to for as long as a stream lives.
    @Test func `The library copies neither names nor values`() {
        let flags = block([("A", "b")]).withFields(date: HTTPDate(unixSeconds: 0)) {
            UnsafeBufferPointer(start: $0, count: $1).map(\.flags)
        }
        let both = NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue
        expectEqual(flags, Array(repeating: UInt8(both), count: 3))
    }
}
