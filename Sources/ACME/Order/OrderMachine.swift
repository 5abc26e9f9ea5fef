import AppSiteAssociation
import OpenSSL

/// One attempt to get one certificate, from the directory to the chain (RFC 8555 section 7), or to
/// resume an order after a restart.
///
/// ```
/// directory → account → (leftovers) → newOrder → authorizations → publish → respond → poll
///                            │                                                       │
///      order's URL known ────┴──────────► read the order ◄───────────────────────────┘
///                                           │ ready        │ processing   │ valid
///                                           ▼              ▼              ▼
///                                        key → finalize → poll ───────► certificate → checked
/// ```
///
/// A value without I/O: `next` returns an action, the other methods take its result. State that
/// must survive is saved before the request that depends on it.
package struct OrderMachine: Sendable {
    package enum Action: Sendable {
        case send(ServerRequest)
        /// Save it durably, then call `saved`.
        case saveAccount(AccountState)
        case saveOrder(OrderState)
        /// Start to answer these challenges, then call `saved`.
        case publish([ChallengeAnswer])
        /// Nothing to do until then (seconds since 1970).
        case wait(until: Int64)
        case finish(Result<IssuedCertificate, OrderFailure>)
    }

    enum Step: Sendable {
        case directory
        case makeAccountKey
        case account
        case updateContact(String)
        case saveAccount
        case findOrderList
        case orderList(String)
        case leftover([String])
        case intend
        case newOrder
        case saveOrder
        case readOrder
        case authorizations(rest: [String])
        case publish
        case respond(rest: [ChallengeResource])
        case poll(rest: [String], since: Int64)
        case makeKey
        case finalize
        case pollOrder(since: Int64)
        case certificate(String)
        case end(Result<IssuedCertificate, OrderFailure>)
    }

    package internal(set) var session: AuthoritySession
    package internal(set) var order: OrderState
    let plan: OrderPlan
    var step: Step = .directory
    var current: OrderResource?
    var authorizations: [Authorization] = []
    var chosen: [(answer: ChallengeAnswer, challenge: ChallengeResource)] = []
    /// Whether the order replaces a certificate; the authority may refuse that.
    private(set) var usesReplaces: Bool
    private var mayRenewAccount = true
    var mayOrderAnew = true
    /// How often an order was not ready although all its names were authorized.
    var readyOrders = 0
    private var waitUntil: Int64?
    private var badNonces = 0
    private var retries = 0
    private var polls = 0
    package private(set) var requests = 0
    private var hasNewNonceUnderWay = false

    /// - Parameter order: the order of an earlier process, or a new one.
    package init(plan: OrderPlan, session: AuthoritySession, order: OrderState) {
        self.plan = plan
        self.session = session
        self.order = order
        usesReplaces = plan.replaces != nil
        // An earlier process may have published its challenges.
        hasPublished = order.url != nil
    }

    /// Whether the order is no longer useful: invalid, expired, or its certificate was fetched.
    package internal(set) var isOrderSpent = false

    /// Whether challenges are published and must be withdrawn at the end.
    package private(set) var hasPublished = false

    // MARK: - Next action

    package mutating func next(now: Int64) -> Action {
        if let until = waitUntil {
            // A clock that was set back must not turn seconds into hours.
            if now < until, until - now <= OrderLimits.pollDelayMaximum {
                return .wait(until: until)
            }
            waitUntil = nil
        }
        switch step {
        case .end(let result): return .finish(result)
        case .makeAccountKey: return makeAccountKey(now)
        case .saveAccount:
            if let account = session.account { return .saveAccount(account) }
            step = .makeAccountKey
            return next(now: now)
        case .intend:
            order.isIntended = true
            return .saveOrder(order)
        case .saveOrder: return .saveOrder(order)
        case .publish: return .publish(chosen.map(\.answer))
        case .makeKey: return makeKey(now)
        case .directory:
            if session.freshDirectory(now: now) != nil {
                enterAccount()
                return next(now: now)
            }
        case .account, .updateContact, .findOrderList, .orderList, .leftover, .newOrder,
            .readOrder, .authorizations, .respond, .poll, .finalize, .pollOrder, .certificate:
            break
        }
        return send(now)
    }

    private mutating func send(_ now: Int64) -> Action {
        guard requests < OrderLimits.requests(names: plan.names.count) else {
            end(
                .tooLong(
                    "no certificate after \(requests) requests: the attempt ends, and the order is kept"
                ))
            return next(now: now)
        }
        if case .directory = step {
            requests += 1
            return .send(ServerRequest(.get, session.url))
        }
        guard let directory = session.directory, let account = session.account else {
            step = .directory
            return next(now: now)
        }
        let (url, payload, signer) = call(directory, account)
        guard let nonce = session.takeNonce() else {
            hasNewNonceUnderWay = true
            requests += 1
            return .send(ServerRequest(.head, directory.newNonce))
        }
        do throws(OpenSSLError) {
            let body = try SignedRequest.body(
                payload: payload, url: url, nonce: nonce, key: account.key, signer: signer)
            requests += 1
            return .send(ServerRequest(.post, url, body: body))
        } catch {
            end(.local(error.cause))
            return next(now: now)
        }
    }

    // MARK: - Results

    /// The requested save or publication succeeded.
    package mutating func saved(now: Int64) {
        switch step {
        case .makeAccountKey: step = .account
        case .intend: step = .newOrder
        case .saveOrder: proceed(with: current, now)
        case .publish:
            hasPublished = true
            step = .respond(
                rest: chosen.map(\.challenge).filter { $0.status == "pending" || $0.status == "" })
            skipEmpty(now)
        case .makeKey: step = .finalize
        case .saveAccount: enterOrder()
        case .account, .updateContact, .directory, .findOrderList, .orderList, .leftover, .newOrder,
            .readOrder,
            .authorizations, .respond, .poll, .finalize, .pollOrder, .certificate, .end:
            break
        }
    }

    /// There was no response.
    package mutating func failed(_ failure: TransportFailure, now: Int64) {
        hasNewNonceUnderWay = false
        if failure.isTrust { return end(.untrusted(failure.description)) }
        retryOrEnd(.unreachable(failure.description), after: nil, now)
    }

    package mutating func answered(_ answer: AuthorityResponse, now: Int64) {
        session.keep(nonce: answer.nonce)
        let wait = answer.seconds(toWait: now)
        let isForNonce = hasNewNonceUnderWay
        hasNewNonceUnderWay = false
        if answer.status >= 500 {
            return retryOrEnd(.unreachable("\(answer.problem)"), after: wait, now)
        }
        if isForNonce {
            if answer.isSuccess, answer.nonce != nil { return }
            return refused(answer.problem, after: wait, now)
        }
        if !answer.isSuccess {
            let problem = answer.problem
            if problem.kind == .badNonce { return retryNonce(problem, now) }
            return refused(problem, after: wait, now)
        }
        badNonces = 0
        let isProgress = !isLookingForLeftovers
        do throws(InvalidResponse) {
            try read(answer, now)
            if isProgress { retries = 0 }
        } catch {
            // Retry once: a truncated response of a proxy should not cost an hour.
            retryOrEnd(.malformed(error.what), after: nil, now)
        }
    }

    /// Between two tries of newOrder we look for an order of the first try. The success of this
    /// look must not reset the retries of newOrder.
    private var isLookingForLeftovers: Bool {
        switch step {
        case .findOrderList, .orderList, .leftover: true
        case .directory, .makeAccountKey, .account, .updateContact, .saveAccount, .intend,
            .newOrder, .saveOrder, .readOrder, .authorizations, .publish, .respond, .poll,
            .makeKey, .finalize, .pollOrder, .certificate, .end:
            false
        }
    }

    private mutating func retryNonce(_ problem: ProblemDocument, _ now: Int64) {
        badNonces += 1
        if badNonces > OrderLimits.badNoncesMaximum {
            return end(
                .refused(problem), note: "\(badNonces) nonces in a row were refused")
        }
        // Only the nonce of the error response is worth a try.
        let fresh = session.takeNonce()
        session.dropNonces()
        session.keep(nonce: fresh)
    }

    private mutating func retryOrEnd(
        _ cause: OrderFailure.Cause, after seconds: Int64?, _ now: Int64
    ) {
        guard retries < OrderLimits.retryDelays.count,
            (seconds ?? 0) <= OrderLimits.pollDelayMaximum
        else { return end(cause, retryAfter: seconds) }
        let delay = max(OrderLimits.retryDelays[retries], seconds ?? 0)
        retries += 1
        waitUntil = now + delay
        // The order may exist although its response was lost.
        if case .newOrder = step { step = .findOrderList }
    }

    private mutating func refused(_ problem: ProblemDocument, after seconds: Int64?, _ now: Int64) {
        switch (step, problem.cause.kind) {
        case (_, .accountDoesNotExist) where mayRenewAccount:
            // The authority has lost the account: create it again with the same key.
            mayRenewAccount = false
            session.account?.url = nil
            step = .account
        case (.newOrder, let kind) where usesReplaces && Self.aboutReplaces.contains(kind):
            // Another account's certificate (the account was lost), or unknown (the authority
            // has forgotten it), or replaced already. A renewal without it is still a renewal.
            usesReplaces = false
        case (.findOrderList, _), (.orderList, _):
            step = .intend
        case (.leftover(let rest), _):
            step = .leftover(Array(rest.dropFirst()))
            skipEmpty(now)
        case (.updateContact, _):
            // An account without the new address is better than no certificate.
            enterOrder()
        case (.readOrder, let kind) where kind != .rateLimited && mayOrderAnew:
            // The authority forgot the order, or it belongs to a deleted account.
            orderAnew()
        case (.respond, .malformed), (.finalize, .orderNotReady):
            // Our view of the order is outdated (answered before a crash): read it again.
            step = .readOrder
            end(ifRepeated: .refused(problem), seconds)
        case (.finalize, .badCSR), (.finalize, .badPublicKey):
            isOrderSpent = true
            end(.refused(problem), retryAfter: seconds)
        default:
            end(
                .refused(problem), retryAfter: seconds,
                failedNames: problem.refusedNames(of: order.names))
        }
    }

    /// RFC 9773 section 5 names one type alone; authorities refuse a `replaces` with others as well
    /// (Boulder: unauthorized, malformed).
    private static let aboutReplaces: Set<ProblemDocument.Kind> = [
        .alreadyReplaced, .alreadyRevoked, .unauthorized, .malformed, .other,
    ]

    /// Limits rereads, so that they do not loop.
    private mutating func end(ifRepeated cause: OrderFailure.Cause, _ seconds: Int64?) {
        retries += 1
        if retries > OrderLimits.retryDelays.count { end(cause, retryAfter: seconds) }
    }

    mutating func end(
        _ cause: OrderFailure.Cause, retryAfter: Int64? = nil, failedNames: [String] = [],
        note: String? = nil
    ) {
        var cause = cause
        if let note, case .refused(let problem) = cause {
            cause = .refused(ProblemDocument(problem.kind, "\(note): \(problem.detail)"))
        }
        step = .end(
            .failure(OrderFailure(cause, retryAfter: retryAfter, failedNames: failedNames)))
    }

    mutating func orderAnew() {
        mayOrderAnew = false
        order = OrderState(
            directory: order.directory, names: order.names, keyKind: order.keyKind,
            begun: order.begun)
        current = nil
        authorizations = []
        chosen = []
        step = .intend
    }

    /// Waits before the next poll, as long as the authority requests.
    mutating func waitForPoll(_ answer: AuthorityResponse, _ now: Int64) {
        let named = answer.seconds(toWait: now)
        if let named, named > OrderLimits.pollDelayMaximum {
            return end(
                .tooLong("the authority asks for the next poll in \(named) seconds"),
                retryAfter: named)
        }
        let delay = OrderLimits.pollDelays[min(polls, OrderLimits.pollDelays.count - 1)]
        polls += 1
        waitUntil = now + max(1, named ?? delay)
    }

    mutating func pollsBegin() { polls = 0 }

    // MARK: - Keys

    private mutating func makeAccountKey(_ now: Int64) -> Action {
        do throws(OpenSSLError) {
            let account: AccountState
            if let made = session.account {
                account = made
            } else {
                account = AccountState(
                    directory: session.url, key: try AccountKey(PrivateKey.make(.ecdsaP256)))
            }
            session.account = account
            return .saveAccount(account)
        } catch {
            end(.local(error.cause))
            return next(now: now)
        }
    }

    private mutating func makeKey(_ now: Int64) -> Action {
        do throws(OpenSSLError) {
            if order.key == nil { order.key = try PrivateKey.make(order.keyKind) }
            return .saveOrder(order)
        } catch {
            end(.local(error.cause))
            return next(now: now)
        }
    }
}
