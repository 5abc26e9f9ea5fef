import HTTP
import OpenSSL
import TestSupport
import Testing

@testable import AASAServer

/// A site and a certificate folder on disk, with an authority to issue certificates for them.
final class SiteFixture {
    let folder: TemporaryFolder
    let authority: LocalAuthority
    /// 2026-11-21.
    static let now: Int64 = 1_795_219_200
    static let fragment = "{\"webcredentials\":{\"apps\":[\"D3KQX62K1A.com.example\"]}}"

    var site: String { folder.path("site") }
    var certs: String { folder.path("certs") }

    init() throws {
        folder = try TemporaryFolder("fixture")
        authority = try LocalAuthority.make(now: Self.now - 100 * 86_400)
        try folder.makeFolder("site")
        try folder.makeFolder("certs")
    }

    /// With the host a.example: a team's fragment and a good certificate.
    static func withHost() throws -> SiteFixture {
        let fixture = try SiteFixture()
        try fixture.write("a.example/teams/D3KQX62K1A.json", fragment)
        try fixture.certify("a.example")
        return fixture
    }

    /// Writes a pair for the host.
    /// - Parameters:
    ///   - begins: days from now; `ends` as well. Of one from before July 2019 devices accept any
    ///     life.
    @discardableResult
    func certify(
        _ host: String, names: [String]? = nil, rsa: Bool = false, begins: Int64 = -10,
        ends: Int64 = 80, folder name: String? = nil
    ) throws -> CertificatePair {
        var plan = CertificateTemplate(
            commonName: host, names: names ?? [host], notBefore: Self.now + begins * 86_400,
            notAfter: Self.now + ends * 86_400)
        plan.key = rsa ? .rsa(bits: 2048) : .ecdsaP256
        let pair = try plan.make(issuer: authority.pair)
        let suffix = rsa ? "-rsa" : ""
        let place = "certs/\(name ?? host)"
        try folder.write("\(place)/fullchain\(suffix).pem", pair.chain.flatMap(\.pem))
        try folder.write("\(place)/privkey\(suffix).pem", pair.key.unencryptedPEM())
        return pair
    }

    /// A pair that this OpenSSL refuses at the level that the server sets; written nowhere.
    func weakPair(_ host: String) throws -> CertificatePair {
        var plan = CertificateTemplate(
            commonName: host, names: [host], notBefore: Self.now - 10,
            notAfter: Self.now + 1_000_000)
        plan.key = .rsa(bits: 1024)
        return try plan.make(issuer: authority.pair)
    }

    func write(_ path: String, _ text: String) throws { try folder.write("site/\(path)", text) }

    func configuration(_ change: (inout ServerConfiguration) -> Void = { _ in })
        -> ServerConfiguration
    {
        var configuration = ServerConfiguration(
            siteFolder: site, certificateFolder: certs,
            listen: [.tcp(host: "127.0.0.1", port: 0)])
        change(&configuration)
        return configuration
    }

    func loader(_ change: (inout ServerConfiguration) -> Void = { _ in }) throws -> SiteLoader {
        SiteLoader(
            configuration: configuration(change), libraries: [try TLSLibrary()], tickets: nil,
            sign: { try CMSSigner.sign($0, with: $1) })
    }
}

extension PreparedResponse {
    var text: String { String(decoding: Array(body.bytes), as: UTF8.self) }
    func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
}

extension HostSource {
    /// The host `h.example` with this `host.json` and these further files, read from a folder.
    static func made(_ settings: String, _ files: [String: String]) throws -> HostSource {
        let folder = try TemporaryFolder("host")
        try folder.write("h.example/host.json", settings)
        for (name, text) in files { try folder.write("h.example/\(name)", text) }
        return HostFolder.read(name: "h.example", path: folder.path("h.example"))
    }
}
