import AppSiteAssociation
import OpenSSL

// The requests of each step.

extension OrderMachine {
    typealias Call = (url: String, payload: JSONValue?, signer: SignedRequest.Signer)

    /// The request of the current step.
    func call(_ directory: Directory, _ account: AccountState) -> Call {
        let signer: SignedRequest.Signer = account.url.map { .account($0) } ?? .key
        switch step {
        case .account:
            return (directory.newAccount, newAccount(directory, account), .key)
        case .updateContact(let url):
            return (url, .object([("contact", .list(plan.contact.map { .text($0) }))]), signer)
        case .findOrderList: return (account.url ?? directory.newAccount, nil, signer)
        case .orderList(let url), .certificate(let url): return (url, nil, signer)
        case .leftover(let rest): return (rest.first ?? directory.newOrder, nil, signer)
        case .newOrder: return (directory.newOrder, newOrder(directory), signer)
        case .readOrder, .pollOrder: return (order.url ?? directory.newOrder, nil, signer)
        case .authorizations(let rest), .poll(let rest, _):
            return (rest.first ?? directory.newOrder, nil, signer)
        case .respond(let rest):
            return (rest.first?.url ?? directory.newOrder, .object([]), signer)
        case .finalize:
            return (current?.finalize ?? directory.newOrder, finalization, signer)
        // No request: `next` never calls this for them.
        case .directory, .makeAccountKey, .saveAccount, .intend, .saveOrder, .publish, .makeKey,
            .end:
            return (directory.newNonce, nil, signer)
        }
    }

    /// RFC 8555 section 7.3. For a key with an account, the authority returns that account.
    private func newAccount(_ directory: Directory, _ account: AccountState) -> JSONValue {
        var members: [(String, JSONValue)] = []
        if plan.agreesToTerms { members.append(("termsOfServiceAgreed", .flag(true))) }
        if !plan.contact.isEmpty {
            members.append(("contact", .list(plan.contact.map { .text($0) })))
        }
        if let external = plan.externalAccount {
            members.append(
                (
                    "externalAccountBinding",
                    external.binding(of: account.key, url: directory.newAccount)
                ))
        }
        return .object(members)
    }

    private func newOrder(_ directory: Directory) -> JSONValue {
        var members: [(String, JSONValue)] = [
            (
                "identifiers",
                .list(
                    order.names.map { .object([("type", .text("dns")), ("value", .text($0))]) })
            )
        ]
        if let profile = plan.profile { members.append(("profile", .text(profile))) }
        if usesReplaces, directory.renewalInfo != nil, let replaced = plan.replaces {
            members.append(("replaces", .text(replaced)))
        }
        return .object(members)
    }

    private var finalization: JSONValue {
        let request = order.key.flatMap { try? SigningRequest.make(names: order.names, key: $0) }
        return .object([("csr", .text(Base64.encodeForURL(request ?? [])))])
    }
}
