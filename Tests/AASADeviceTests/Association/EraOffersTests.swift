import AASAClient
import AppSiteAssociation
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASADevice

/// What each era's device sends, against what Safari of its time sent (`Tests/Hellos`).
@Suite struct EraOffersTests {
    /// 3DES, RC4, and Diffie-Hellman with fixed keys: OpenSSL has none of them any more. They are
    /// reported as not simulated.
    private static let gone: [UInt16: String] = [
        0xC008: "ECDHE-ECDSA-DES-CBC3-SHA", 0xC012: "ECDHE-RSA-DES-CBC3-SHA",
        0x000A: "DES-CBC3-SHA", 0x0016: "DHE-RSA-DES-CBC3-SHA", 0xC007: "ECDHE-ECDSA-RC4-SHA",
        0xC011: "ECDHE-RSA-RC4-SHA", 0x0005: "RC4-SHA", 0x0004: "RC4-MD5",
        0xC026: "ECDH-ECDSA-AES256-SHA384", 0xC025: "ECDH-ECDSA-AES128-SHA256",
        0xC005: "ECDH-ECDSA-AES256-SHA", 0xC004: "ECDH-ECDSA-AES128-SHA",
        0xC003: "ECDH-ECDSA-DES-CBC3-SHA", 0xC02A: "ECDH-RSA-AES256-SHA384",
        0xC029: "ECDH-RSA-AES128-SHA256", 0xC00F: "ECDH-RSA-AES256-SHA",
        0xC00E: "ECDH-RSA-AES128-SHA", 0xC00D: "ECDH-RSA-DES-CBC3-SHA",
        0xC002: "ECDH-ECDSA-RC4-SHA", 0xC00C: "ECDH-RSA-RC4-SHA",
    ]
    /// The signal of secure renegotiation, which newer hellos send as an extension.
    private static let signal: UInt16 = 0x00FF
    /// Drafts of HTTP/2, and what was before it.
    private static let drafts: Set = ["h2-16", "h2-15", "h2-14", "spdy/3.1", "spdy/3"]
    private static let hybrid: UInt16 = 0x11EC

    private static let recorded: [(Era, String)] = [
        (.ios8, "ios8.4"), (.ios93, "ios9"), (.ios13, "macos10.14.6"), (.ios14, "ios17.2"),
        (.ios26, "macos26.0.1"), (.developer, "ios17.2"), (.managed, "ios17.2"),
    ]

    /// The hello of the era's device for an entry, as it arrives.
    private static func sent(_ era: Era) throws -> ClientHello? {
        let hellos = Lock<[[UInt8]]>([])
        let server = try FaultServer(
            tls: nil, handshake: .record { bytes in hellos.withLock { $0.append(bytes) } }
        ) { _ in .silence }
        let resolver = Resolver(overrides: [
            .init(host: "example.com", port: 443, address: .v4(0x7F00_0001, port: server.port)),
            .init(
                host: "cdn.example", port: 443, address: .v4(0x7F00_0001, port: server.port)),
        ])
        var settings = Device.Settings(
            app: nil, era: era,
            signatures: { _, _, _ in SignedDocument(payload: [], problem: nil) })
        settings.resolver = resolver
        settings.cdn = .server(host: "cdn.example", port: 443, isTLS: true, base: "")
        settings.horizonSeconds = 0
        let client = try HTTPClient(resolver: resolver)
        var device = Device(settings, chance: { 0 }, ask: { client.fetch($0) })
        _ = device.install([EntitlementEntry("webcredentials:example.com")])
        return withExtendedLifetime(server) {
            hellos.withLock { $0.first }.flatMap { ClientHello($0) }
        }
    }

    @Test(arguments: recorded)
    func `A device sends the hello of its era`(era: Era, name: String) throws {
        let recorded = try #require(ClientHello(try ClientHello.recorded(name)))
        let sent = try #require(try Self.sent(era))
        let isHybrid = TLSLibrary.hasHybridGroup
        let expected = recorded.without(
            suites: Set(Self.gone.keys).union([Self.signal]), groups: isHybrid ? [] : [Self.hybrid],
            protocols: Self.drafts)
        expectEqual(sent.without(suites: [Self.signal]), expected)
        // What is missing is said.
        var missing = recorded.suites.compactMap { Self.gone[$0] }
        if recorded.groups.contains(Self.hybrid), !isHybrid { missing.append("X25519MLKEM768") }
        expectEqual(era.rules.offer.unavailable, missing)
    }

    @Test func `The eras differ as the systems did`() throws {
        let hellos = try Self.recorded.prefix(5).map { try #require(try Self.sent($0.0)) }
        expectEqual(
            hellos.map(\.versions),
            [
                [0x303], [0x303], [0x304, 0x303, 0x302, 0x301], [0x304, 0x303, 0x302, 0x301],
                [0x304, 0x303],
            ])
        expectEqual(
            hellos.map(\.protocols), [[]] + Array(repeating: ["h2", "http/1.1"], count: 4))
        // ECDHE with AES-128-GCM and ChaCha20.
        expectEqual(hellos.map { $0.suites.contains(0xC02F) }, [false, true, true, true, true])
        expectEqual(hellos.map { $0.suites.contains(0xCCA8) }, [false, false, true, true, true])
        expectEqual(hellos.map { $0.groups.contains(0x1D) }, [false, false, true, true, true])
        // Only the last one needs two TCP segments.
        expectEqual(hellos.map { $0.count > 1460 }, [false, false, false, false, true])
    }
}
