import AASAServer
import OpenSSL
import Reactor

/// The site and the certificate of a ``DemoServer``: one host, one team.
enum DemoSite {
    static let host = "example.com"

    /// Makes `site` and `certs` in a folder.
    ///
    /// - Parameters:
    ///   - documentBytes: about how large the document is.
    ///   - key: of the certificate; an RSA key of 4,096 bits costs 2 ms per handshake, which makes
    ///     the server slow beside the storm on the same machine.
    static func make(
        in folder: String, documentBytes: Int, key: CertificateTemplate.Key
    ) throws {
        let now = WallClock.seconds
        let pair = try LocalAuthority.make(now: now).issue(names: [host], key: key, now: now)
        let certificates = "\(folder)/certs/\(host)"
        let teams = "\(folder)/site/\(host)/teams"
        for path in [certificates, teams] { try Files.makeFolder(path) }
        try Files.replace(
            "\(certificates)/privkey.pem", with: pair.key.unencryptedPEM(), mode: .exactly(0o600))
        try Files.replace(
            "\(certificates)/fullchain.pem", with: pair.chain.flatMap(\.pem),
            mode: .exactly(0o600))
        try Files.replace(
            "\(teams)/D3KQX62K1A.json", with: Array(document(bytes: documentBytes).utf8))
    }

    private static func document(bytes: Int) -> String {
        var rules = [#"{"/":"/products/*"}"#]
        var count = rules[0].utf8.count
        while count < bytes {
            let rule = #"{"/":"/campaigns/\#(rules.count)/landing-page/*"}"#
            count += rule.utf8.count + 1
            rules.append(rule)
        }
        let list = rules.joined(separator: ",")
        return #"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.com.example.shop"],"#
            + #""components":[\#(list)]}]}}"#
    }
}
