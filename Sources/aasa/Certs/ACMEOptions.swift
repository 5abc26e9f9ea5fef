import AASAFleet
import AASAServer
import ACME
import ArgumentParser
import OpenSSL
import Reactor

/// The options of automatic certificates, each a flag and an environment variable.
struct ACMEOptions: ParsableArguments {
    @Flag(help: "Get and renew certificates (RFC 8555), using only port 443.")
    var acme = false

    @Flag(help: "You have read the authority's terms and agree.")
    var acmeAgreeTerms = false

    @Option(help: .value("addr", "The contact address for the authority."))
    var acmeEmail: String?

    @Flag(help: "Use Let's Encrypt's staging environment.")
    var acmeStaging = false

    @Option(
        help: .rare(
            "url",
            "The authority's directory; repeatable: if one keeps failing, aasa uses the next. "
                + "(default: Let's Encrypt)"))
    var acmeDirectory: [String] = []

    @Option(
        help: .rare("file", "Trust your own authority (PEM). (default: the machine's roots)"))
    var acmeCacert: String?

    @Option(
        help: .rare(
            "addr:port",
            "Use HTTP-01, not TLS-ALPN-01, on this address: *:80 if a CDN terminates TLS."))
    var acmeHttp: String?

    @Flag(
        help: .rare(
            nil, "With --acme-http: redirect all but the two association paths to HTTPS."))
    var redirectHttp = false

    @Option(
        help: .rare(
            "kid:hmac",
            "External account binding, for authorities that require it; repeatable, in the "
                + "order of the directories."))
    var acmeEab: [String] = []

    @Option(help: .rare("name", "A certificate profile of the authority, such as shortlived."))
    var acmeProfile: String?

    @Flag(help: .rare(nil, "Also get an RSA certificate, for devices before iOS 9."))
    var acmeRsa = false

    @Flag(help: .rare(nil, "Omit a name that fails, so that the others get a certificate."))
    var acmeSkipFailing = false

    /// Everything about it, checked; nil without `--acme`.
    struct Configuration {
        var settings: RenewalSettings
        var authorityFile: String?
        var plain: [SocketAddress] = []
        var redirectsPlain = false
        /// One machine of a fleet orders for all; nil: each for itself.
        var fleetKeys: KeyRing?
    }

    func configuration(_ reader: inout OptionReader) -> Configuration? {
        let isOn = reader.flag("acme", acme)
        var directories = reader.list("acme-directory", acmeDirectory)
        let isStaging = reader.flag("acme-staging", acmeStaging)
        if directories.isEmpty {
            directories = [
                isStaging ? KnownAuthority.letsEncryptStaging : KnownAuthority.letsEncrypt
            ]
        } else if isStaging {
            reader.problem(
                "acme-staging", "", "remove it: --acme-directory names the authority")
        }
        for url in directories where !Self.isURL(url) {
            reader.problem("acme-directory", url, "write the URL of a directory, https://…")
        }
        var bindings: [ExternalAccount?] = []
        for text in reader.list("acme-eab", acmeEab) {
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            let account =
                parts.count == 2
                ? ExternalAccount(identifier: parts[0], encodedSecret: parts[1]) : nil
            if account == nil {
                // Nothing is repeated: either part may be the secret.
                reader.problem(
                    "acme-eab", "",
                    "write KID:HMAC, the HMAC key in Base64 as the authority shows it")
            }
            bindings.append(account)
        }
        var settings = RenewalSettings(
            authorities: directories.enumerated().map { index, url in
                let binding = bindings.indices.contains(index) ? bindings[index] : nil
                return .init(directory: url, externalAccount: binding)
            })
        if bindings.count > directories.count {
            reader.problem(
                "acme-eab", bindings.last??.identifier ?? "",
                "there are \(bindings.count) keys for \(directories.count) of --acme-directory: "
                    + "give one per directory, in their order")
        }
        if var address = reader.text("acme-email", acmeEmail) {
            if address.lowercased().hasPrefix("mailto:") { address.removeFirst(7) }
            // One address without parameters (RFC 8555 section 7.3).
            let isAddress =
                address.contains("@")
                && address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
                && !address.contains { $0 == "," || $0 == "?" || $0 == ":" }
            if isAddress {
                settings.contact = ["mailto:\(address)"]
            } else {
                reader.problem("acme-email", address, "write an address such as ops@example.com")
            }
        }
        settings.agreesToTerms = reader.flag("acme-agree-terms", acmeAgreeTerms)
        settings.profile = reader.text("acme-profile", acmeProfile)
        if reader.flag("acme-rsa", acmeRsa) { settings.keys.append(.rsa(bits: 2048)) }
        settings.leavesFailingNamesOut = reader.flag("acme-skip-failing", acmeSkipFailing)
        var made = Configuration(settings: settings)
        made.authorityFile = reader.text("acme-cacert", acmeCacert)
        if isOn, let file = made.authorityFile { AuthorityFile.check(file, "acme-cacert", &reader) }
        if let plain = reader.value(
            "acme-http", acmeHttp, advice: "write ADDR:PORT, such as *:80", SocketAddress.listening)
        {
            made.plain = plain
            made.settings.challenge = .http01
        }
        made.redirectsPlain = reader.flag("redirect-http", redirectHttp)
        if made.redirectsPlain, made.plain.isEmpty {
            reader.problem("redirect-http", "", "say where it listens: --acme-http *:80")
        }
        if !isOn {
            // Variables may stay in a unit that is switched off by AASA_ACME=off.
            for name in reader.given where name.hasPrefix("acme-") {
                reader.problem(name, "", "it requires --acme")
            }
            return nil
        }
        return made
    }

    private static func isURL(_ text: String) -> Bool {
        text.hasPrefix("https://") && text.utf8.count > 10
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
