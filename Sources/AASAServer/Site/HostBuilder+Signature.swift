import AppSiteAssociation
import OpenSSL

extension HostBuilder {
    /// The signature of the document, or else the last one, which may be that of another document.
    mutating func buildSignature(
        _ document: HostDocument?, _ settings: HostSettings
    ) -> HostSignature? {
        guard let document else { return nil }
        if let ready = document.readySigned {
            if now < ready.notAfter { return ready }
            report(
                "site-signature-ended",
                "the ready-made signature expired on \(DateText.day(ready.notAfter))",
                remedy: "sign it again with aasa sign, or serve fragments, which the server signs")
            return nil
        }
        let current = kept.facts.signature
        let decision = SignatureDecision.decide(
            current: current, document: document.json,
            signers: pairs.map { signer($0, settings) }, now: now)
        switch decision {
        case .keep: return current
        case .sign(let index):
            if let signature = signed(document, with: pairs[index], settings) { return signature }
        case .none(let reason):
            let isGood = current?.isValid(at: now) == true
            report(
                "site-cannot-sign",
                reason
                    + (isGood
                        ? "; the last good signature stays in service"
                        : ", and there is no valid signature"),
                remedy: "renew the certificate of \(source.name)"
                    + (isGood ? "" : ", or set \"form\": \"json\""))
        }
        return current.flatMap { $0.isValid(at: now) ? $0 : nil }
    }

    private func signer(
        _ pair: CertificatePair, _ settings: HostSettings
    ) -> SignatureDecision.Signer {
        let summary = pair.leaf.summary
        let uncovered = ([source.name] + settings.aliases.map(\.value))
            .filter { !pair.leaf.covers($0) }
        return SignatureDecision.Signer(
            identity: pair.identity, notBefore: summary.notBefore, notAfter: summary.notAfter,
            coversHost: pair.leaf.covers(source.name, acceptsCommonName: true),
            uncoveredNames: uncovered.count,
            isRSA: !pair.leaf.isECDSA)
    }

    private mutating func signed(
        _ document: HostDocument, with pair: CertificatePair, _ settings: HostSettings
    ) -> HostSignature? {
        do {
            let der = try sign(document.json, pair)
            // With `auto` only iOS 8 gets the signed form, and it has no limit.
            guard settings.form == .auto || der.count <= SiteLimits.documentBytesMaximum else {
                reports.append(
                    SignedSize.finding(
                        bytes: document.json.count, signed: der.count, host: source.name))
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
