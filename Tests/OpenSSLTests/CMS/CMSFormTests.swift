// Covers: DERCheck.swift

import TestSupport
import Testing

@testable import OpenSSL

@Suite struct CMSFormTests {
    @Test(
        arguments: [
            ([], CMSForm.empty), (Array(" \n".utf8), .empty), ([0x30, 0x82, 1], .der),
            ([0x30, 0x80, 6], .ber), (Array("-----BEGIN PKCS7-----".utf8), .pem),
            (Array("\n\n-----begin cms-----".utf8), .pem),
            (Array("MIME-Version: 1.0".utf8), .smime),
            (Array("content-type: x".utf8), .smime), (Array(" {}".utf8), .json),
            ([0xef, 0xbb, 0xbf, 0x7b], .json), ([0xef, 0xbb, 0xbf, 0x30, 0x82], .transcoded),
            ([0x30, 0xc2, 0x82, 0x04], .transcoded), ([0x30, 0xef, 0xbf, 0xbd], .transcoded),
            ([0x1f, 0x8b, 8], .compressed), (Array("<html>".utf8), .html),
            (Array("hello".utf8), .other),
            (Array("MIIBQwYJKoZIhvcNAQcCoIIB\nNDCCATAC".utf8), .base64), ([0x30], .other),
        ] as [([UInt8], CMSForm)])
    func `Files are told by how they begin`(bytes: [UInt8], form: CMSForm) {
        #expect(CMSForm.sniff(bytes) == form)
    }

    @Test(
        arguments: [
            ([0x30, 3, 2, 1, 5], DERCheck.Outcome.der(length: 5)),
            ([0x30, 3, 2, 1, 5, 0], .der(length: 5)), ([0x30, 0], .der(length: 2)),
            ([0x30, 0x81, 3, 2, 1, 5], .ber(offset: 0, length: 6)),
            ([0x30, 4, 2, 0x81, 1, 5], .ber(offset: 2, length: 6)),
            ([0x30, 0x80, 2, 1, 5, 0, 0], .ber(offset: 0, length: 7)),
            ([0x24, 3, 4, 1, 5], .ber(offset: 0, length: 5)), ([0x30, 4, 2, 1, 5], .truncated),
            ([0x30], .truncated), ([0x30, 0x80, 2, 1, 5, 0], .truncated), ([], .truncated),
            ([0x30, 0x85, 0, 0, 0, 0, 1, 5], .malformed(offset: 0)),
            ([0x02, 0x80, 0, 0], .malformed(offset: 0)),
            ([0x30, 3, 2, 9, 5, 1, 1, 1, 1, 1, 1, 1], .malformed(offset: 2)),
            ([0x3f, 0x81, 0x01, 1, 5], .truncated),
        ] as [([UInt8], DERCheck.Outcome)])
    func `DER is told from BER and from noise`(bytes: [UInt8], outcome: DERCheck.Outcome) {
        #expect(DERCheck.check(bytes) == outcome)
    }

    @Test func `Nesting has a bound`() {
        let deep = [UInt8](repeating: 0x30, count: 1) + [0x80]
        let bytes = Array(repeatElement(deep, count: 10_000).joined())
        guard case .malformed = DERCheck.check(bytes) else {
            Issue.record("\(DERCheck.check(bytes))")
            return
        }
    }
}
