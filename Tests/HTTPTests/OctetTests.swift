import TestSupport
import Testing

@testable import HTTP

struct OctetTests {
    /// The bit masks against the grammar of RFC 9110 §5.6.2.
    @Test func tokens() {
        let marks = Set("!#$%&'*+-.^_`|~".utf8)
        for octet in UInt8.min...UInt8.max {
            let isAlphanumeric =
                (0x30...0x39).contains(octet) || (0x41...0x5A).contains(octet)
                || (0x61...0x7A).contains(octet)
            expectEqual(Octet.isToken(octet), (isAlphanumeric || marks.contains(octet)))
        }
    }

    /// RFC 9110 §5.5: a value has no control octet but HTAB.
    @Test func controls() {
        for octet in UInt8.min...UInt8.max {
            let value = Array("GET /a HTTP/1.1\r\nHost: x\r\nA: \tb".utf8) + [octet, 0x63]
            let isReadable = (octet >= 0x20 && octet != 0x7F) || octet == 0x09
            expectEqual((parseOnce(value + Array("\r\n\r\n".utf8)).request != nil), isReadable)
        }
    }

    @Test func `White space belongs to no value, but stands inside of one`() {
        for (text, expected) in [
            ("a", "a"), (" \ta; b\t ", "a; b"), ("a ", "a"), (" a", "a"), (" \t", ""), ("", ""),
        ] {
            let found = Array(text.utf8).withUnsafeBytes { Array($0.withoutOuterWhitespace) }
            expectEqual(found, Array(expected.utf8), "\(text)")
        }
    }

    @Test func comparisons() {
        Array("Host".utf8).withUnsafeBytes {
            #expect($0.equalsIgnoringCase("host") && !$0.equals("host") && $0.equals("Host"))
            #expect(!$0.equalsIgnoringCase("hosts") && !$0.equalsIgnoringCase("most"))
        }
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        #expect(empty.equals("") && !empty.equals("a") && empty.equalsIgnoringCase(""))
        // `[` and `{` are 0x20 apart as letters are, and no letters.
        Array("[".utf8).withUnsafeBytes { #expect(!$0.equalsIgnoringCase("{")) }
        Array("xabab".utf8).withUnsafeBytes {
            #expect($0.contains("xabab") && $0.contains("bab") && $0.contains("x"))
            #expect(!$0.contains("abb") && !$0.contains("xababa"))
        }
        #expect(empty.contains("") && !empty.contains("a"))
    }
}
