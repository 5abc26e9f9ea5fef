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
        expectEqual(CMSForm.sniff(bytes), form)
    }
}
