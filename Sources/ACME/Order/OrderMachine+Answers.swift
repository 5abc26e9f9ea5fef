import AppSiteAssociation
import OpenSSL

// How each step processes a successful response.

extension OrderMachine {
    mutating func read(_ answer: AuthorityResponse, _ now: Int64) throws(InvalidResponse) {
        switch step {
        case .directory:
            let directory = try Directory(answer.json("the directory"), url: session.url)
            session.directory = directory
            session.directoryReadAt = now
            enterAccount()
        case .account: try readAccount(answer)
        case .updateContact:
            session.account?.contact = plan.contact
            step = .saveAccount
        case .findOrderList:
            let list = try answer.json("the account")["orders"]?.string
            if let list { step = .orderList(try Resource.check(list, "\"orders\"", session.url)) }
            if list == nil { step = .intend }
        case .orderList:
            // Authorities that provide the list append the newest orders. Further pages
            // (`rel="next"`) are not followed.
            let urls = (try answer.json("the list of orders")["orders"]?.strings ?? [])
                .suffix(OrderLimits.leftoversMaximum).reversed()
            step = .leftover(Array(urls))
            skipEmpty(now)
        case .leftover(let rest): try readLeftover(answer, rest)
        case .newOrder: try readNewOrder(answer)
        case .readOrder:
            let read = try orderResource(answer)
            proceed(with: read, now)
        case .authorizations(let rest): try readAuthorization(answer, rest, now)
        case .respond(let rest):
            step = .respond(rest: Array(rest.dropFirst()))
            skipEmpty(now)
        case .poll(let rest, let since): try readPoll(answer, rest, since, now)
        case .finalize, .pollOrder:
            let read = try orderResource(answer)
            let since: Int64
            if case .pollOrder(let begun) = step { since = begun } else { since = now }
            if read.status == .processing || read.status == .ready {
                pollOrder(answer, since, now)
            } else {
                proceed(with: read, now)
            }
        case .certificate: readCertificate(answer, now)
        case .makeAccountKey, .saveAccount, .intend, .saveOrder, .publish, .makeKey, .end: break
        }
    }

    // MARK: Account

    /// The directory is known: find or create the account.
    mutating func enterAccount() {
        guard let directory = session.directory else { return }
        let hasAccount = session.account?.url != nil
        if let missing = MissingSetting.of(
            directory, url: session.url, profile: plan.profile, agreesToTerms: plan.agreesToTerms,
            externalAccount: plan.externalAccount, hasAccount: hasAccount)
        {
            return end(.setting(missing))
        }
        if hasAccount { return enterOrder() }
        step = .makeAccountKey
    }

    private mutating func readAccount(_ answer: AuthorityResponse) throws(InvalidResponse) {
        guard let location = answer.location else {
            throw InvalidResponse("the answer to newAccount has no Location")
        }
        let url = try Resource.check(location, "the account's URL", session.url)
        let value = try answer.json("the account")
        if let status = value["status"]?.string, status != "valid" {
            return end(
                .setting(
                    "the account \(url) is \(status): remove its file in .acme/accounts to create a new one"
                ))
        }
        // An existing account keeps its old contacts (status 200).
        let contact = value["contact"]?.strings ?? []
        let isNew = answer.status == 201
        session.account?.url = url
        session.account?.contact = isNew ? plan.contact : contact
        step = .saveAccount
    }

    /// The account exists: continue with the known order, or look for a forgotten one.
    mutating func enterOrder() {
        if let account = session.account, let url = account.url, account.contact != plan.contact,
            !plan.contact.isEmpty
        {
            // Only once, even if rejected: authorities that store no addresses never return them.
            session.account?.contact = plan.contact
            step = .updateContact(url)
            return
        }
        if order.url != nil {
            step = .readOrder
        } else {
            step = order.isIntended ? .findOrderList : .intend
        }
    }

    // MARK: Order

    private func orderResource(_ answer: AuthorityResponse) throws(InvalidResponse) -> OrderResource
    {
        let read = try OrderResource(answer.json("the order"), origin: session.url)
        let names = Set(read.names.map { $0.lowercased() })
        guard names.isEmpty || names == Set(order.names) else {
            throw InvalidResponse(
                "the order is for other names: "
                    + names.sorted().prefix(5).map { AuthorityText.clean($0, 100) }
                    .joined(separator: ", "))
        }
        return read
    }

    private mutating func readNewOrder(_ answer: AuthorityResponse) throws(InvalidResponse) {
        guard let location = answer.location else {
            throw InvalidResponse("the answer to newOrder has no Location")
        }
        let url = try Resource.check(location, "the order's URL", session.url)
        let read = try orderResource(answer)
        order.url = url
        current = read
        step = .saveOrder
    }

    private mutating func readLeftover(
        _ answer: AuthorityResponse, _ rest: [String]
    ) throws(InvalidResponse) {
        let value = try answer.json("an order")
        let found = try OrderResource(value, origin: session.url)
        let isOurs =
            Set(found.names.map { $0.lowercased() }) == Set(order.names)
            && (found.status == .pending || found.status == .ready)
        if isOurs, let url = rest.first {
            order.url = url
            current = found
            step = .saveOrder
        } else {
            step = .leftover(Array(rest.dropFirst()))
            if rest.count <= 1 { step = .intend }
        }
    }

    /// Continues according to the order's status (RFC 8555 section 7.1.6).
    mutating func proceed(with read: OrderResource?, _ now: Int64) {
        guard let read else {
            step = .readOrder
            return
        }
        current = read
        switch read.status {
        case .pending:
            authorizations = []
            chosen = []
            step = .authorizations(rest: read.authorizations)
            skipEmpty(now)
        case .ready: step = .makeKey
        case .processing:
            pollsBegin()
            step = .pollOrder(since: now)
        case .valid:
            if order.key == nil {
                // Finalized with a lost key: the certificate is useless.
                if mayOrderAnew { return orderAnew() }
                isOrderSpent = true
                return end(.malformed("an order became valid before it was finalized"))
            }
            guard let url = read.certificate else {
                return end(.malformed("the order is valid but has no certificate"))
            }
            step = .certificate(url)
        case .invalid:
            if let error = read.error {
                isOrderSpent = true
                return end(.refused(error), failedNames: error.names)
            }
            // The authorizations have details.
            if authorizations.isEmpty, !read.authorizations.isEmpty {
                step = .authorizations(rest: read.authorizations)
            } else {
                isOrderSpent = true
                end(.refused(ProblemDocument(.other, "the order is invalid")))
            }
        }
    }

    /// Skips steps whose list is empty.
    mutating func skipEmpty(_ now: Int64) {
        switch step {
        case .leftover(let rest) where rest.isEmpty: step = .intend
        case .authorizations(let rest) where rest.isEmpty: chooseChallenges()
        case .respond(let rest) where rest.isEmpty:
            pollsBegin()
            step = .poll(rest: current?.authorizations ?? [], since: now)
        default: break
        }
    }

    // MARK: Authorizations

    private mutating func readAuthorization(
        _ answer: AuthorityResponse, _ rest: [String], _ now: Int64
    ) throws(InvalidResponse) {
        authorizations.append(
            try Authorization(answer.json("an authorization"), origin: session.url))
        step = .authorizations(rest: Array(rest.dropFirst()))
        skipEmpty(now)
    }

    private mutating func chooseChallenges() {
        guard let account = session.account else { return end(.local("the account is missing")) }
        if failInvalid() { return }
        chosen = []
        for authorization in authorizations where authorization.status == .pending {
            let offered = authorization.challenges.first { $0.kind == plan.challenge }
            guard let challenge = offered else {
                return end(
                    .setting(
                        "for \(authorization.name) the authority does not offer "
                            + "\(plan.challenge.rawValue) (HTTP-01 needs --acme-http)"),
                    failedNames: [authorization.name])
            }
            let answer = ChallengeAnswer(
                kind: challenge.kind, name: authorization.name, token: challenge.token,
                keyAuthorization: account.key.keyAuthorization(token: challenge.token))
            chosen.append((answer, challenge))
        }
        if !chosen.isEmpty {
            step = .publish
        } else {
            // All are valid: the order is ready, or will be at the next poll.
            pollsBegin()
            step = .readOrder
            readyOrders += 1
            if readyOrders > OrderLimits.pollDelays.count {
                end(.malformed("the order stays pending although each name is authorized"))
            }
        }
    }

    /// Whether a name has failed, and with it the order.
    private mutating func failInvalid() -> Bool {
        let failed = authorizations.filter { $0.status != .pending && $0.status != .valid }
        guard let first = failed.first else { return false }
        isOrderSpent = true
        let challenge = first.challenges.first { $0.error != nil }
        end(
            .validation(
                name: first.name, kind: challenge?.kind,
                first.problem
                    ?? ProblemDocument(.other, "the authorization is \(first.status.rawValue)")),
            failedNames: failed.map(\.name))
        return true
    }

    private mutating func readPoll(
        _ answer: AuthorityResponse, _ rest: [String], _ since: Int64, _ now: Int64
    ) throws(InvalidResponse) {
        let read = try Authorization(answer.json("an authorization"), origin: session.url)
        if let index = authorizations.firstIndex(where: { $0.name == read.name }) {
            authorizations[index] = read
        }
        switch read.status {
        case .valid:
            if rest.count <= 1 {
                if failInvalid() { return }
                pollsBegin()
                step = .readOrder
            } else {
                step = .poll(rest: Array(rest.dropFirst()), since: since)
            }
        case .pending:
            if now - since > OrderLimits.validationSeconds || now < since {
                return end(
                    .tooLong(
                        "\(read.name) was not validated within \(OrderLimits.validationSeconds) seconds"
                    ))
            }
            step = .poll(rest: rest, since: since)
            waitForPoll(answer, now)
        case .invalid, .deactivated, .expired, .revoked:
            // Other names may have failed, too: report all of them at once.
            if rest.count <= 1 {
                _ = failInvalid()
            } else {
                step = .poll(rest: Array(rest.dropFirst()), since: since)
            }
        }
    }

    // MARK: Certificate

    private mutating func pollOrder(_ answer: AuthorityResponse, _ since: Int64, _ now: Int64) {
        if now - since > OrderLimits.issuanceSeconds || now < since {
            return end(
                .tooLong("no certificate within \(OrderLimits.issuanceSeconds) seconds"))
        }
        step = .pollOrder(since: since)
        waitForPoll(answer, now)
    }

    private mutating func readCertificate(_ answer: AuthorityResponse, _ now: Int64) {
        isOrderSpent = true
        guard let key = order.key else { return end(.local("the certificate's key is missing")) }
        do throws(OpenSSLError) {
            let chain = try Certificate.load(pem: answer.body, name: "the authority's chain")
            let pair = CertificatePair(
                chain: chain, key: key, chainName: "the authority's chain",
                keyName: "the key of the order")
            if let fault = Self.fault(of: pair, names: order.names, now: now) {
                return end(.unusable(fault))
            }
            step = .end(.success(IssuedCertificate(pair: pair)))
        } catch {
            end(.unusable(error.cause))
        }
    }

    /// Why the issued certificate cannot be used; nil if it can.
    static func fault(of pair: CertificatePair, names: [String], now: Int64) -> String? {
        let leaf = pair.leaf
        if !pair.key.matches(leaf) { return "the certificate is not for the key of the order" }
        if let name = names.first(where: { !leaf.covers($0) }) {
            return "the certificate does not cover \(name)"
        }
        if leaf.summary.notAfter <= now {
            return
                "the certificate expired on \(DateText.moment(leaf.summary.notAfter)): check the clock of this machine"
        }
        if leaf.requiresStapling {
            return
                "the certificate requires a stapled OCSP response (must-staple), and authorities no longer offer OCSP: choose another profile"
        }
        return nil
    }
}
