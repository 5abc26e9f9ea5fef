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
            #expect(Octet.isToken(octet) == (isAlphanumeric || marks.contains(octet)))
        }
    }

    /// Eight octets at a time find the same as one at a time, for every octet at every place.
    @Test func firstControl() {
        for octet in UInt8.min...UInt8.max {
            for place in 0..<20 {
                var text = Array(repeating: UInt8(ascii: "a"), count: 20)
                text[19 - place] = 0x09
                text[place] = octet
                let expected = text.firstIndex(where: Octet.isControl) ?? 20
                let found = text.withUnsafeBytes { $0.firstControl(from: 0, to: 20) }
                #expect(found == expected)
            }
        }
    }

    @Test func `White space belongs to no value, but stands inside of one`() {
        for (text, expected) in [
            ("a", "a"), (" \ta; b\t ", "a; b"), ("a ", "a"), (" a", "a"), (" \t", ""), ("", ""),
        ] {
            let found = Array(text.utf8).withUnsafeBytes { Array($0.withoutOuterWhitespace) }
            #expect(found == Array(expected.utf8), "\(text)")
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
