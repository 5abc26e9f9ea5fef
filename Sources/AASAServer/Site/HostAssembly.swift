package import AppSiteAssociation
import HTTP
import OpenSSL

/// The parts of a host → what is served of it: the same for newly read parts and for kept ones.
package struct HostAssembly {
    let factory: ResponseFactory

    /// - Parameter uncovered: the aliases that are answered without the signature.
    package func served(
        name: String, settings: HostSettings, document: HostDocument?, signature: HostSignature?,
        uncovered: [String], siblings: [String: HostState.SiblingState], counters: HostCounters,
        facts: HostFacts
    ) -> ServedHost {
        let siblings = servedSiblings(siblings, settings)
        var unsigned: ServedHost?
        if !uncovered.isEmpty {
            var document = document
            document?.readySigned = nil
            unsigned = ServedHost(
                name: name, aliases: uncovered, association: association(document, nil, settings),
                siblings: siblings, counters: counters, facts: facts,
                certificateFolder: settings.certificate)
        }
        return ServedHost(
            name: name, aliases: settings.aliases.map(\.name),
            association: association(document, signature, settings), siblings: siblings,
            counters: counters, facts: facts, certificateFolder: settings.certificate,
            unsigned: unsigned)
    }

    /// The aliases that the signature, where one is served, does not cover.
    package func uncoveredAliases(
        _ document: HostDocument?, _ signature: HostSignature?, _ settings: HostSettings
    ) -> [String] {
        guard !settings.aliases.isEmpty, let document,
            let der = settings.form.needsSignature ? signature?.der : document.readySigned?.der
        else { return [] }
        return CMSVerifier.uncovered(settings.aliases.map(\.name), by: der)
    }

    private func association(
        _ document: HostDocument?, _ signature: HostSignature?, _ settings: HostSettings
    ) -> ServedAssociation {
        guard let document else { return .unavailable(factory.unavailable()) }
        let cache = settings.cacheControl
        switch settings.form {
        case .json:
            if let ready = document.readySigned {
                return .signed(factory.signed(ready.der, cacheControl: cache, varies: false))
            }
            return .document(factory.document(document.json, cacheControl: cache, varies: false))
        case .signed:
            guard let signature else { return .unavailable(factory.unavailable()) }
            return .signed(factory.signed(signature.der, cacheControl: cache, varies: false))
        case .auto:
            return .auto(
                json: factory.document(document.json, cacheControl: cache, varies: true),
                signed: signature.map {
                    factory.signed($0.der, cacheControl: cache, varies: true)
                } ?? factory.unavailable())
        }
    }

    package func facts(
        _ document: HostDocument?, _ signature: HostSignature?, _ settings: HostSettings
    ) -> HostFacts {
        let signature = signature ?? document?.readySigned
        return HostFacts(
            form: settings.form, teams: document?.teams ?? [], apps: document?.apps ?? 0,
            documentBytes: document?.json.count ?? 0, signedBytes: signature?.der.count,
            signatureEnds: signature?.notAfter)
    }

    private func servedSiblings(
        _ states: [String: HostState.SiblingState], _ settings: HostSettings
    ) -> [ServedSibling] {
        var siblings = states.values.map(\.served).sorted { $0.name < $1.name }
        if let target = settings.changePassword {
            siblings.append(
                ServedSibling(
                    name: "/.well-known/change-password", response: factory.redirect(to: target)))
        }
        return siblings
    }
}

extension HostState.SiblingState {
    package init(
        _ sibling: SiblingSource, cacheControl: String, factory: ResponseFactory,
        fault: Diagnostic? = nil
    ) {
        // A challenge lives for a minute and must never come from a cache.
        let isChallenge = SiblingCatalog.isChallenge(sibling.name)
        let response = factory.sibling(
            sibling.source.bytes, mediaType: sibling.mediaType,
            cacheControl: isChallenge ? "no-store" : cacheControl)
        self.init(
            source: sibling.source,
            served: ServedSibling(name: "/.well-known/" + sibling.name, response: response),
            fault: fault)
    }
}
