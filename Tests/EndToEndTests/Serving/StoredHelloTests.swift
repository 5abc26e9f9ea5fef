import Foundation
import TestSupport
import Testing

/// Recorded hellos before the running server, and an old device to its end.
@Suite struct StoredHelloTests {
    /// The name that these clients asked for belongs to no host here, so the default host answers.
    @Test(arguments: ["auto", "json"])
    func `Every recorded hello that can read the form gets a ServerHello`(form: String) throws {
        let site = try SampleSite()
        _ = try site.write("example.com/host.json", "{\"form\": \"\(form)\"}")
        let server = try ServerProcess(site)
        let names = ClientHello.names
        #expect(names.count >= 12)
        for name in names {
            let client = try TestClient(server.address, handshakes: false)
            try client.sendRaw(try ClientHello.recorded(name))
            let answer = try client.rawBytes(6)
            // A handshake record with a ServerHello, or an alert.
            let isServed = answer.first == 22 && answer.last == 2
            expectEqual(isServed, (form == "auto" || !name.hasPrefix("ios8")), "\(name) \(answer)")
        }
    }

    /// Its hello is that of iOS 8.4 (``EraOffersTests``).
    @Test func `A device of iOS 8 gets the signed form`() throws {
        let site = try SampleSite()
        _ = try site.write("example.com/host.json", "{\"form\": \"auto\"}")
        let server = try ServerProcess(site)
        let arguments =
            [
                "device", "--domain", "webcredentials:example.com", "--app",
                "\(SampleSite.teams[1]).com.example.app", "--era", "ios8",
            ] + CheckCommandTests.options(server)
        let result = try Tool.aasa(arguments)
        expectEqual(result.status, 0, "\(result)")
        let events = try #require(
            try CheckCommandTests.json(result).first?["events"] as? [[String: Any]])
        let exchange = try #require(
            events.first { $0["event"] as? String == "asked" }?["exchange"] as? [String: Any])
        let tls = try #require(exchange["tls"] as? [String: Any])
        expectEqual((tls["cipher"] as? String)?.hasSuffix("AES_128_CBC_SHA256"), true, "\(tls)")
        let head = try #require(exchange["head"] as? [String])
        #expect(head.contains { $0.lowercased() == "content-type: application/pkcs7-mime" })
    }
}
