import AppSiteAssociation
import OpenSSL

@testable import ACME

/// An authority of the tests' own, in memory: RFC 8555 as far as a client can tell, and every
/// misbehaviour that a test asks for. Time is a parameter; it counts what it is asked.
final class FakeAuthority {
    enum Step: String, CaseIterable {
        case directory, newNonce, newAccount, newOrder, order, authorization, challenge, finalize
        case certificate, renewalInfo, account, orderList
    }

    /// What is done instead of an answer.
    enum Fault {
        case answer(AuthorityResponse)
        case silence(TransportFailure)
        /// The request is obeyed and the answer lost on its way.
        case lost
    }

    struct Order {
        var names: [String]
        var status: OrderResource.Status = .pending
        var account: Int
        var replaces: String?
        var certificate: CertificatePair?
        var authorizations: [Int] = []
        var begun: Int64
    }

    struct Validation {
        var name: String
        var status: Authorization.Status = .pending
        var problem: ProblemDocument?
        var token: String
    }

    let base: String
    var life: Int64 = 90 * 86_400
    var terms: String? = "https://ca.test/terms"
    var needsExternalAccount = false
    var profiles: [String] = []
    var offersRenewalInfo = true
    var hasOrderList = true
    var hasLimits = false
    /// How a `replaces` of another account's certificate, or of an unknown one, is refused.
    var refusesReplaces: ProblemDocument.Kind?
    /// Authorities say 6 hours.
    var windowRetryAfter = "21600"
    /// Certificate → window; otherwise the last third of the life.
    var window: ((CertificateFacts) -> RenewalInfo)?
    var interfere: (Step, Int) -> Fault? = { _, _ in nil }
    /// Names that cannot be validated, and how.
    var validate: (String) -> ProblemDocument? = { _ in nil }
    /// The key of the order that is finalized: tests need not take a signing request apart.
    var orderKey: () -> PrivateKey? = { nil }

    private(set) var accounts: [String] = []
    private(set) var orders: [Order] = []
    private(set) var validations: [Validation] = []
    private(set) var requests: [(step: Step, at: Int64)] = []
    private(set) var issued: [(names: [String], at: Int64, replaces: Bool)] = []
    private(set) var failedValidations: [(name: String, at: Int64)] = []
    /// Orders that were refused because of a limit.
    private(set) var refusedOrders: [(names: [String], at: Int64)] = []
    private(set) var protocolErrors: [String] = []
    private var facts: [String: CertificateFacts] = [:]
    private var counts: [Step: Int] = [:]
    private var nonces: Set<String> = []
    private var nonceCount = 0
    private let root: LocalAuthority

    init(now: Int64, base: String = "https://ca.test") throws {
        self.base = base
        root = try LocalAuthority.make(now: now)
    }

    func forgetAccounts() { accounts = [] }

    func count(_ step: Step) -> Int { counts[step] ?? 0 }

    func take(_ request: ServerRequest, now: Int64) -> Result<AuthorityResponse, TransportFailure> {
        guard let step = step(of: request) else {
            protocolErrors.append("\(request.method) \(request.url)")
            return .success(AuthorityResponse(status: 404))
        }
        counts[step, default: 0] += 1
        requests.append((step, now))
        let fault = interfere(step, count(step))
        switch fault {
        case .answer(let answer): return .success(withNonce(answer))
        case .silence(let failure): return .failure(failure)
        case .lost, nil: break
        }
        let answer = obey(step, request, now)
        if case .lost = fault { return .failure(TransportFailure("the answer was lost")) }
        return .success(step == .directory || step == .renewalInfo ? answer : withNonce(answer))
    }

    private func step(of request: ServerRequest) -> Step? {
        let path = request.url.dropFirst(base.utf8.count)
        if request.url == "\(base)/directory" { return .directory }
        let first = path.split(separator: "/").first.map(String.init) ?? ""
        return Step(rawValue: first)
    }

    private func withNonce(_ answer: AuthorityResponse) -> AuthorityResponse {
        nonceCount += 1
        let nonce = "nonce-\(nonceCount)"
        nonces.insert(nonce)
        return AuthorityResponse(
            status: answer.status, nonce: answer.nonce ?? nonce, location: answer.location,
            retryAfter: answer.retryAfter, body: answer.body)
    }

    static func error(
        _ kind: ProblemDocument.Kind, _ detail: String = "no", status: Int = 403,
        retryAfter: String? = nil
    ) -> AuthorityResponse {
        let problem = JSONValue.object([
            ("type", .text("urn:ietf:params:acme:error:\(kind.rawValue)")),
            ("detail", .text(detail)),
        ])
        return AuthorityResponse(
            status: status, retryAfter: retryAfter, body: JSONWriter.minified(problem))
    }

    private func json(
        _ value: JSONValue, status: Int = 200, location: String? = nil, retryAfter: String? = nil
    ) -> AuthorityResponse {
        AuthorityResponse(
            status: status, location: location, retryAfter: retryAfter,
            body: JSONWriter.minified(value))
    }

    private func obey(_ step: Step, _ request: ServerRequest, _ now: Int64) -> AuthorityResponse {
        switch step {
        case .directory: return json(directory)
        case .newNonce: return AuthorityResponse(status: 204)
        case .renewalInfo: return renewalInfo(request)
        default: break
        }
        guard let (header, payload) = opened(request) else {
            return Self.error(.malformed, status: 400)
        }
        guard let nonce = header["nonce"]?.string, nonces.remove(nonce) != nil else {
            return Self.error(.badNonce, status: 400)
        }
        if header["url"]?.string != request.url { return Self.error(.unauthorized) }
        if step == .newAccount { return newAccount(header, payload) }
        guard let account = header["kid"]?.string.flatMap({ Int(last($0)) }),
            accounts.indices.contains(account)
        else { return Self.error(.accountDoesNotExist, status: 400) }
        return obey(step, Int(last(request.url)), payload, account, now)
    }

    private func obey(
        _ step: Step, _ index: Int?, _ payload: JSONValue?, _ account: Int, _ now: Int64
    ) -> AuthorityResponse {
        switch step {
        case .account:
            var members: [(String, JSONValue)] = [("status", .text("valid"))]
            if hasOrderList { members.append(("orders", .text("\(base)/orderList/\(account)"))) }
            return json(.object(members))
        case .orderList:
            let list = orders.indices.filter { orders[$0].account == account }
            return json(.object([("orders", .list(list.map { .text("\(base)/order/\($0)") }))]))
        case .newOrder: return newOrder(payload, account, now)
        case .order:
            guard let index, orders.indices.contains(index) else {
                return Self.error(.malformed, status: 404)
            }
            return show(index)
        case .authorization:
            guard let index, validations.indices.contains(index) else {
                return Self.error(.malformed, status: 404)
            }
            return show(validation: index)
        case .challenge:
            guard let index, validations.indices.contains(index) else {
                return Self.error(.malformed, status: 404)
            }
            return challenge(index, now)
        case .finalize:
            guard let index, orders.indices.contains(index) else {
                return Self.error(.malformed, status: 404)
            }
            return finalize(index, now)
        case .certificate:
            guard let index, orders.indices.contains(index),
                let pair = orders[index].certificate
            else { return Self.error(.malformed, status: 404) }
            return AuthorityResponse(status: 200, body: pair.chain.flatMap(\.pem))
        case .directory, .newNonce, .newAccount, .renewalInfo:
            return Self.error(.malformed, status: 400)
        }
    }

    private func last(_ url: String) -> Substring { url.split(separator: "/").last ?? "" }

    private var directory: JSONValue {
        var members: [(String, JSONValue)] = ["newNonce", "newAccount", "newOrder"].map {
            ($0, .text("\(base)/\($0)"))
        }
        if offersRenewalInfo { members.append(("renewalInfo", .text("\(base)/renewalInfo"))) }
        var meta: [(String, JSONValue)] = [
            ("externalAccountRequired", .flag(needsExternalAccount))
        ]
        if let terms { meta.append(("termsOfService", .text(terms))) }
        meta.append(("profiles", .object(profiles.map { ($0, .text("a profile")) })))
        members.append(("meta", .object(meta)))
        return .object(members)
    }

    private func opened(_ request: ServerRequest) -> (JSONValue, JSONValue?)? {
        func read(_ bytes: [UInt8]?) -> JSONValue? {
            bytes.flatMap { try? JSONReader.read(SourceText(name: "-", bytes: $0)).root }
        }
        guard let body = read(request.body), let protected = body["protected"]?.string,
            let header = read(Base64.decodeForURL(protected)),
            let payload = body["payload"]?.string,
            let signature = body["signature"]?.string.flatMap(Base64.decodeForURL),
            signature.count == 64, header["alg"]?.string == "ES256"
        else { return nil }
        return (header, read(Base64.decodeForURL(payload)))
    }

    private func newAccount(_ header: JSONValue, _ payload: JSONValue?) -> AuthorityResponse {
        guard
            let key = header["jwk"].map({ String(decoding: JSONWriter.minified($0), as: UTF8.self) }
            )
        else { return Self.error(.malformed, status: 400) }
        if let known = accounts.firstIndex(of: key) {
            return json(
                .object([("status", .text("valid"))]), location: "\(base)/account/\(known)")
        }
        if terms != nil, payload?["termsOfServiceAgreed"]?.bool != true {
            return Self.error(.userActionRequired)
        }
        if needsExternalAccount, payload?["externalAccountBinding"]?["signature"] == nil {
            return Self.error(.externalAccountRequired)
        }
        accounts.append(key)
        return json(
            .object([("status", .text("valid"))]), status: 201,
            location: "\(base)/account/\(accounts.count - 1)")
    }

    private func newOrder(
        _ payload: JSONValue?, _ account: Int, _ now: Int64
    ) -> AuthorityResponse {
        let names = (payload?["identifiers"]?.array ?? []).compactMap { $0["value"]?.string }
        if let refusesReplaces, payload?["replaces"] != nil {
            return Self.error(refusesReplaces, "\"replaces\" is refused")
        }
        if hasLimits, let seconds = secondsToWait(names, payload?["replaces"] != nil, now) {
            refusedOrders.append((names, now))
            let refusal = Self.error(.rateLimited, "too many", status: 429)
            return AuthorityResponse(
                status: 429, retryAfter: String(seconds), body: refusal.body)
        }
        var order = Order(
            names: names, account: account, replaces: payload?["replaces"]?.string, begun: now)
        for name in names {
            validations.append(
                Validation(name: name, token: "token-of-validation-\(validations.count)"))
            order.authorizations.append(validations.count - 1)
        }
        orders.append(order)
        let shown = show(orders.count - 1)
        return AuthorityResponse(
            status: 201, location: "\(base)/order/\(orders.count - 1)", body: shown.body)
    }

    private func show(_ index: Int) -> AuthorityResponse {
        if orders[index].status == .pending {
            let all = orders[index].authorizations.map { validations[$0].status }
            if all.allSatisfy({ $0 == .valid }) { orders[index].status = .ready }
            if all.contains(.invalid) { orders[index].status = .invalid }
        }
        let order = orders[index]
        var members: [(String, JSONValue)] = [
            ("status", .text(order.status.rawValue)),
            (
                "identifiers",
                .list(order.names.map { .object([("type", .text("dns")), ("value", .text($0))]) })
            ),
            (
                "authorizations",
                .list(order.authorizations.map { .text("\(base)/authorization/\($0)") })
            ), ("finalize", .text("\(base)/finalize/\(index)")),
        ]
        if order.certificate != nil {
            members.append(("certificate", .text("\(base)/certificate/\(index)")))
        }
        return json(.object(members))
    }

    private func show(validation index: Int) -> AuthorityResponse {
        let validation = validations[index]
        var members: [(String, JSONValue)] = [
            ("type", .text("tls-alpn-01")), ("url", .text("\(base)/challenge/\(index)")),
            ("token", .text(validation.token)), ("status", .text(validation.status.rawValue)),
        ]
        if let problem = validation.problem {
            members.append(
                (
                    "error",
                    .object([("type", .text(problem.type)), ("detail", .text(problem.detail))])
                ))
        }
        return json(
            .object([
                ("status", .text(validation.status.rawValue)),
                (
                    "identifier",
                    .object([("type", .text("dns")), ("value", .text(validation.name))])
                ),
                ("challenges", .list([.object(members)])),
            ]))
    }

    private func challenge(_ index: Int, _ now: Int64) -> AuthorityResponse {
        guard validations[index].status == .pending else {
            return Self.error(.malformed, "not pending", status: 400)
        }
        if let problem = validate(validations[index].name) {
            validations[index].status = .invalid
            validations[index].problem = problem
            failedValidations.append((validations[index].name, now))
        } else {
            validations[index].status = .valid
        }
        return json(.object([]))
    }

    private func finalize(_ index: Int, _ now: Int64) -> AuthorityResponse {
        _ = show(index)
        guard orders[index].status == .ready, let key = orderKey() else {
            return Self.error(.orderNotReady)
        }
        var plan = CertificateTemplate(
            commonName: orders[index].names.first ?? "", names: orders[index].names,
            notBefore: now - 3600, notAfter: now - 3600 + life)
        plan.issuerLocation = "http://ca.test/issuer"
        guard let pair = try? plan.make(issuer: root.pair, for: key) else {
            return Self.error(.serverInternal, status: 500)
        }
        orders[index].certificate = pair
        orders[index].status = .valid
        let made = CertificateFacts(pair.leaf)
        if let identifier = made.identifier { facts[identifier] = made }
        issued.append((orders[index].names, now, orders[index].replaces != nil))
        return show(index)
    }

    private func renewalInfo(_ request: ServerRequest) -> AuthorityResponse {
        guard let facts = facts[String(last(request.url))] else {
            return AuthorityResponse(status: 404)
        }
        let life = facts.notAfter - facts.notBefore
        let window =
            window?(facts)
            ?? RenewalInfo(
                start: facts.notAfter - life / 3, end: facts.notAfter - life / 3 + life / 30)
        return json(
            .object([
                (
                    "suggestedWindow",
                    .object([
                        ("start", .text(DateText.moment(window.start))),
                        ("end", .text(DateText.moment(window.end))),
                    ])
                )
            ]), retryAfter: windowRetryAfter)
    }
}
