import AppSiteAssociation
import HTTP
import OpenSSL

/// The parts of a host → what is served of it: the same for newly read parts and for kept ones.
struct HostAssembly {
    let factory: ResponseFactory
    let name: String
    let settings: HostSettings
    let document: HostDocument?
    let signature: HostSignature?

    /// - Parameter uncovered: the aliases that are answered without the signature.
    func served(
        uncovered: [String], siblings: [String: SiblingSource], counters: HostCounters,
        facts: HostFacts
    ) -> ServedHost {
        let siblings = servedSiblings(siblings)
        func host(
            _ aliases: [String], isSigned: Bool, unsigned: ServedHost? = nil
        ) -> ServedHost {
            ServedHost(
                name: name, aliases: aliases, association: association(isSigned: isSigned),
                siblings: siblings, counters: counters, facts: facts,
                certificateFolder: settings.certificate, unsigned: unsigned)
        }
        return host(
            settings.aliases.map(\.value), isSigned: true,
            unsigned: uncovered.isEmpty ? nil : host(uncovered, isSigned: false))
    }

    /// The aliases that the signature, where one is served, does not cover.
    var uncoveredAliases: [String] {
        guard !settings.aliases.isEmpty, document != nil, let servedSignature else { return [] }
        return CMSVerifier.uncovered(settings.aliases.map(\.value), by: servedSignature.der)
    }

    private var servedSignature: HostSignature? {
        settings.form.needsSignature ? signature : document?.readySigned
    }

    private func association(isSigned: Bool) -> ServedAssociation {
        var unavailable: ServedAssociation { .init(factory.unavailable(), as: .unavailable) }
        guard let document else { return unavailable }
        let form = settings.form
        func answer(_ body: [UInt8], isSigned: Bool = false) -> PreparedResponse {
            factory.association(
                body, isSigned: isSigned, cacheControl: settings.cacheControl,
                varies: form == .auto)
        }
        let signed = isSigned ? servedSignature.map { answer($0.der, isSigned: true) } : nil
        if let signed, form != .auto { return ServedAssociation(signed, as: .signed) }
        if form == .signed { return unavailable }
        return ServedAssociation(
            answer(document.json), as: .json,
            forIOS8: form == .auto ? signed ?? unavailable.response : nil)
    }

    var facts: HostFacts {
        let signature = signature ?? document?.readySigned
        return HostFacts(
            form: settings.form, teams: document?.teams ?? [], apps: document?.apps ?? 0,
            documentBytes: document?.json.count ?? 0, signedBytes: signature?.der.count,
            signatureEnds: signature?.notAfter)
    }

    private func servedSiblings(_ sources: [String: SiblingSource]) -> [ServedSibling] {
        var siblings = sources.values.sorted { $0.name < $1.name }.map { sibling in
            // A challenge lives for a minute and must never come from a cache.
            let isChallenge = SiblingCatalog.isChallenge(sibling.name)
            let response = factory.sibling(
                sibling.source.bytes, mediaType: sibling.mediaType,
                cacheControl: isChallenge ? "no-store" : settings.cacheControl)
            return ServedSibling(name: "/.well-known/" + sibling.name, response: response)
        }
        if let target = settings.changePassword {
            siblings.append(
                ServedSibling(
                    name: "/.well-known/change-password", response: factory.redirect(to: target)))
        }
        return siblings
    }
}
