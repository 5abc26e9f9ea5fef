import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct PunycodeTests {
    /// The samples of RFC 3492 section 7.1 (letters only, as host names have them), and names seen.
    @Test(arguments: [
        ("bücher.example", "xn--bcher-kva.example"),
        ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
        ("почемужеонинеговорятпорусски", "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"),
        ("münchen.de", "xn--mnchen-3ya.de"), ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
        ("例え。テスト", "xn--r8jz45g.xn--zckzah"), ("shop.example", "shop.example"),
    ])
    func unicodeNamesAreEncoded(name: String, ascii: String) {
        expectEqual(Punycode.ascii(name), ascii)
    }

    @Test func aLabelThatIsTooLongIsNoName() {
        #expect(Punycode.ascii(String(repeating: "ü", count: 63)) != nil)
        #expect(Punycode.ascii(String(repeating: "ü", count: 64)) == nil)
    }
}
