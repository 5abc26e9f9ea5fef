import AppSiteAssociation
import OpenSSL

/// Whether a host's document is signed again, and with which certificate.
///
/// The rules, in the order of their weight:
/// 1. A served signature is valid at the time: if its certificate has ended, it is not served (503
///    instead: a device takes a 503 as temporary, an invalid signature as a final no).
/// 2. Only a signer that is valid and covers the host signs. No other signer ever replaces a good
///    signature, which then stays with the last good document.
/// 3. A renewed certificate signs again automatically, even if the document did not change.
extension HostBuilder {
    /// The signature of the document, or else the last one, which may be that of another document.
    mutating func buildSignature(
        _ document: HostDocument?, _ settings: HostSettings
    ) -> HostSignature? {
        guard let document else { return nil }
        if let ready = document.readySigned {
            if now < ready.notAfter { return ready }
            reportEnd(of: ready)
            return nil
        }
        let last = kept.facts.signature.flatMap { $0.isValid(at: now) ? $0 : nil }
        guard let signer = bestSigner(settings) else {
            let reason =
                pairs.compactMap(obstacle(to:)).first ?? "there is no certificate to sign with"
            report(
                "site-cannot-sign",
                reason
                    + (last != nil
                        ? "; the last good signature stays in service"
                        : ", and there is no valid signature"),
                remedy: "renew the certificate of \(source.name)"
                    + (last != nil ? "" : ", or set \"form\": \"json\""))
            return last
        }
        if let last, last.payload == document.json, last.signer == signer.identity { return last }
        return signed(document, with: signer, settings) ?? last
    }

    /// The one for the most names first: no signature is served under a name that it does not
    /// cover. Then RSA, because Apple's own instructions for the devices of 2014 used it. Then the
    /// certificate that lasts longest.
    private func bestSigner(_ settings: HostSettings) -> CertificatePair? {
        let names = [source.name] + settings.aliases.map(\.value)
        func rank(_ pair: CertificatePair) -> (Int, Int, Int64) {
            (
                names.count { pair.leaf.covers($0) }, pair.leaf.isECDSA ? 0 : 1,
                pair.leaf.summary.notAfter
            )
        }
        return pairs.filter { obstacle(to: $0) == nil }.max { rank($0) < rank($1) }
    }

    /// Why a pair cannot sign; nil: it can.
    private func obstacle(to pair: CertificatePair) -> String? {
        let life = pair.leaf.summary
        // iOS 8 to 12 accept a host that is only in the Common Name of a signer.
        if !pair.leaf.covers(source.name, acceptsCommonName: true) {
            return "the signing certificate does not cover the host"
        }
        if now >= life.notAfter {
            return "the signing certificate expired on \(DateText.day(life.notAfter))"
        }
        if now >= life.notBefore { return nil }
        return
            "the signing certificate is not valid before \(DateText.day(life.notBefore)): check the clock"
    }

    private mutating func signed(
        _ document: HostDocument, with pair: CertificatePair, _ settings: HostSettings
    ) -> HostSignature? {
        do {
            let der = try sign(document.json, pair)
            // With `auto` only iOS 8 gets the signed form, and it has no limit.
            let most = SiteLimits.documentBytesMaximum
            guard settings.form == .auto || der.count <= most else {
                report(
                    "site-signed-too-large",
                    "the document has \(document.json.count) bytes, \(der.count) signed; iOS 9.3.1 and later read at most \(most)",
                    remedy: "shorten it, set \"form\": \"auto\", or sign with a shorter chain")
                return nil
            }
            return HostSignature(
                der: der, payload: document.json, signer: pair.identity,
                notBefore: pair.leaf.summary.notBefore, notAfter: pair.leaf.summary.notAfter)
        } catch {
            report("site-cannot-sign", "\(error)", remedy: "check the certificate and its key")
            return nil
        }
    }
}
