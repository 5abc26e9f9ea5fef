import TestSupport
import Testing

@testable import HTTP

/// The table of what a Host may be stands with the parser (HTTP1StrictnessTests); here is what a
/// parser never hands over.
@Suite struct HTTPAuthorityTests {
    private func isValid(_ text: String) -> Bool {
        Array(text.utf8).withUnsafeBytes { HTTPAuthority.isValid($0) }
    }

    @Test func everyOctetAlone() {
        for octet in UInt8.min...UInt8.max {
            let expected =
                Octet.isUnreserved(octet) || "!$&'()*+,;=:".utf8.contains(octet)
            expectEqual([octet].withUnsafeBytes { HTTPAuthority.isValid($0) }, expected, "\(octet)")
        }
    }

    @Test func bracketsHoldAnAddress() {
        #expect(isValid("[2001:db8::1]:8443"))
        #expect(!isValid("[2001:db8::1]8443"))
        #expect(!isValid("[a b]"))
        #expect(!isValid("x[::1]"))
    }
}
