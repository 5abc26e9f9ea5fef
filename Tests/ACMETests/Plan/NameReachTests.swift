// Covers: PlayedValidator.swift, AuthorityLook.swift, StoredMemory.swift

import AppSiteAssociation
import OpenSSL
import Testing

@testable import ACME

@Suite struct NameReachTests {
    private func reach(_ looks: [(ChallengeKind, NameReach.Outcome)]) -> NameReach {
        var reach = NameReach(name: "shop.test")
        reach.looks = looks.enumerated().map { number, look in
            .init(address: "192.0.2.\(number):443", kind: look.0, outcome: look.1)
        }
        return reach
    }

    private let refused = NameReach.Outcome.failed(ProblemDocument(.connection, "refused"))

    @Test func `One kind of challenge is enough, and every address has to be good`() {
        #expect(reach([(.tlsALPN01, .ours)]).advice.isEmpty)
        #expect(reach([(.tlsALPN01, .ours)]).isProven)
        let mixed = reach([(.tlsALPN01, .ours), (.tlsALPN01, refused)])
        #expect(mixed.advice.count == 1)
        #expect(!mixed.isProven)
        let other = reach([(.tlsALPN01, refused), (.http01, .ours)])
        #expect(other.advice.isEmpty)
        #expect(other.isProven)
        let none = reach([(.tlsALPN01, refused), (.http01, refused)])
        #expect(none.advice.count == 2)
        #expect(none.advice.contains { $0.remedy.contains("port 80") })
        #expect(none.advice.contains { $0.remedy.contains("port 443") })
        #expect(!reach([(.tlsALPN01, .answered("somebody"))]).isProven)
        var lost = NameReach(name: "shop.test")
        lost.unresolved = ProblemDocument(.dns, "no such name")
        #expect(lost.advice.first?.remedy.contains("A or AAAA record") == true)
    }

    private let settings = {
        var settings = RenewalSettings(authorities: [.init(directory: "https://ca.test/directory")])
        settings.agreesToTerms = true
        return settings
    }()

    private func look(
        _ authority: FakeAuthority, account: AccountState? = nil, date: String? = nil,
        settings: RenewalSettings? = nil
    ) -> (look: AuthorityLook, asked: Int) {
        let now = EngineDriver.epoch
        let settings = settings ?? self.settings
        let look = AuthorityLook.look(
            at: settings.authorities[0], settings, account: account, now: now
        ) { request in
            authority.take(request, now: now).map { answer in
                ServerAnswer(
                    status: answer.status, nonce: answer.nonce, location: answer.location,
                    date: date, body: answer.body)
            }
        }
        return (look, authority.requests.count)
    }

    @Test func `A look at an authority makes no account and orders nothing`() throws {
        let authority = try FakeAuthority(now: EngineDriver.epoch)
        let (seen, asked) = look(authority)
        #expect(seen.failure == nil)
        #expect(seen.account == .none)
        #expect(asked == 1)
        let key = try AccountKey(PrivateKey.make(.ecdsaP256))
        var account = AccountState(directory: "https://ca.test/directory", key: key)
        account.url = "https://ca.test/account/0"
        authority.interfere = { step, count in
            guard step == .newAccount else { return nil }
            if count <= 2 { return .answer(FakeAuthority.error(.badNonce, status: 400)) }
            return .answer(
                ServerAnswer(status: 200, body: Array(#"{"status":"valid"}"#.utf8)))
        }
        let known = look(authority, account: account)
        #expect(known.look.account == .valid)
        #expect(known.look.failure == nil)
        #expect(known.asked - asked <= AuthorityLook.requestsMaximum)
        authority.interfere = { step, _ in
            step == .newAccount
                ? .answer(
                    ServerAnswer(status: 200, body: Array(#"{"status":"deactivated"}"#.utf8)))
                : nil
        }
        let gone = look(authority, account: account).look
        #expect(gone.account == .refused)
        #expect(gone.failure?.message.contains("deactivated") == true)
        #expect(authority.accounts.isEmpty)
        #expect(authority.orders.isEmpty)
    }

    @Test func `Each thing that goes wrong is said with its remedy`() throws {
        let authority = try FakeAuthority(now: EngineDriver.epoch)
        var refuses = settings
        refuses.agreesToTerms = false
        #expect(
            look(authority, settings: refuses).look.failure?.message.contains("--acme-agree-terms")
                == true)
        authority.interfere = { _, _ in .silence(TransportFailure("no certificate", isTrust: true))
        }
        #expect(look(authority).look.failure?.remedy.contains("clock is right") == true)
        authority.interfere = { _, _ in .answer(ServerAnswer(status: 200, body: [60])) }
        #expect(look(authority).look.failure?.remedy.contains("ACME directory") == true)
    }

    @Test(
        arguments: [
            ("Fri, 15 Jan 2027 08:00:00 GMT", nil), ("Fri, 15 Jan 2027 08:04:00 GMT", nil),
            ("Sat, 16 Jan 2027 08:00:00 GMT", "86400 seconds behind"),
            ("Thu, 14 Jan 2027 08:00:00 GMT", "86400 seconds ahead of"), ("yesterday", nil),
        ] as [(String, String?)]) func `Clocks are compared`(date: String, fault: String?) throws
    {
        let seen = look(try FakeAuthority(now: EngineDriver.epoch), date: date).look
        if let fault {
            #expect(seen.clockFault?.contains(fault) == true)
        } else {
            #expect(seen.clockFault == nil)
        }
    }
}
