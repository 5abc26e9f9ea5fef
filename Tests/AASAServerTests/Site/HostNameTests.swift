import TestSupport
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
        ("", "hyphens"), ("Example.com", "write example.com"), ("*.example.com", "example.com"),
        ("example.com.", "write example.com"), ("https://example.com", "only the name"),
        ("example.com:443", "only the name"), ("bücher.example", "xn--bcher-kva.example"),
        ("-a.example", "hyphens"), ("a..example", "hyphens"), ("a_b.example", "hyphens"),
        ("127.0.0.1", "name the host"),
        (String(repeating: "a", count: 64) + ".example", "hyphens"),
        (String(repeating: "a.", count: 127) + "example", "shorten"),
    ])
    func othersAreRefusedWithARemedy(name: String, remedy: String) {
        let problem = HostName.problem(of: name)
        expectEqual(problem?.remedy.contains(remedy), true, "\(problem as Any)")
    }
}
