import Testing

@testable import AASAServer

@Suite struct HostNameTests {
    @Test(arguments: [
        "example.com", "a.b.c.example", "xn--bcher-kva.example", "localhost", "1.example",
        "a-b.example",
    ])
    func namesAsClientsSendThemAreGood(name: String) {
        #expect(HostName.problem(of: name) == nil)
    }

    @Test(arguments: [
        ("", "write"), ("Example.com", "write example.com"), ("*.example.com", "example.com"),
        ("example.com.", "write example.com"), ("https://example.com", "leave out"),
        ("example.com:443", "leave out"), ("bücher.example", "xn--bcher-kva.example"),
        ("-a.example", "hyphens"), ("a..example", "hyphens"), ("a_b.example", "hyphens"),
        ("127.0.0.1", "name the host"),
        (String(repeating: "a", count: 64) + ".example", "hyphens"),
        (String(repeating: "a.", count: 127) + "example", "shorten"),
    ])
    func othersAreRefusedWithARemedy(name: String, remedy: String) {
        let problem = HostName.problem(of: name)
        #expect(problem?.remedy.contains(remedy) == true, "\(problem as Any)")
    }

    /// The samples of RFC 3492 section 7.1 (letters only, as host names have them), and names seen.
    @Test(arguments: [
        ("bücher.example", "xn--bcher-kva.example"),
        ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
        ("почемужеонинеговорятпорусски", "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"),
        ("münchen.de", "xn--mnchen-3ya.de"), ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
    ])
    func unicodeNamesAreEncoded(name: String, ascii: String) {
        #expect(Punycode.ascii(name) == ascii)
    }
}
