import AppSiteAssociation
import OpenSSL
import TestSupport
import Testing

@testable import ACME

@Suite struct AuthorityCheckTests {
    private let settings = {
        var settings = RenewalSettings(authorities: [.init(directory: "https://ca.test/directory")])
        settings.agreesToTerms = true
        return settings
    }()

    private func look(
        _ authority: FakeAuthority, account: AccountState? = nil, date: String? = nil,
        settings: RenewalSettings? = nil
    ) -> (look: AuthorityCheck, asked: Int) {
        let now = EngineDriver.epoch
        let settings = settings ?? self.settings
        let look = AuthorityCheck.look(
            at: settings.authorities[0], settings, account: account, now: now
        ) { request in
            authority.take(request, now: now).map { answer in
                AuthorityResponse(
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
        expectEqual(seen.account, .none)
        expectEqual(asked, 1)
        let key = try AccountKey(PrivateKey.make(.ecdsaP256))
        var account = AccountState(directory: "https://ca.test/directory", key: key)
        account.url = "https://ca.test/account/0"
        authority.interfere = { step, count in
            guard step == .newAccount else { return nil }
            if count <= 2 { return .answer(FakeAuthority.error(.badNonce, status: 400)) }
            return .answer(
                AuthorityResponse(status: 200, body: Array(#"{"status":"valid"}"#.utf8)))
        }
        let known = look(authority, account: account)
        expectEqual(known.look.account, .valid)
        #expect(known.look.failure == nil)
        #expect(known.asked - asked <= AuthorityCheck.requestsMaximum)
        authority.interfere = { step, _ in
            step == .newAccount
                ? .answer(
                    AuthorityResponse(status: 200, body: Array(#"{"status":"deactivated"}"#.utf8)))
                : nil
        }
        let gone = look(authority, account: account).look
        expectEqual(gone.account, .refused)
        expectEqual(gone.failure?.message.contains("deactivated"), true)
        #expect(authority.accounts.isEmpty)
        #expect(authority.orders.isEmpty)
    }

    @Test func `Each thing that goes wrong is said with its remedy`() throws {
        let authority = try FakeAuthority(now: EngineDriver.epoch)
        var refuses = settings
        refuses.agreesToTerms = false
        expectEqual(
            look(authority, settings: refuses).look.failure?.message.contains("--acme-agree-terms"),
            true)
        authority.interfere = { _, _ in .silence(TransportFailure("no certificate", isTrust: true))
        }
        expectEqual(look(authority).look.failure?.remedy.contains("Check the clock"), true)
        authority.interfere = { _, _ in .answer(AuthorityResponse(status: 200, body: [60])) }
        expectEqual(look(authority).look.failure?.remedy.contains("ACME directory"), true)
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
            expectEqual(seen.clockFault?.contains(fault), true)
        } else {
            #expect(seen.clockFault == nil)
        }
    }

    /// Five minutes, to the second.
    @Test(arguments: [(Int64(300), false), (301, true), (-300, false), (-301, true)])
    func `Some minutes hurt nobody`(difference: Int64, isFault: Bool) {
        var look = AuthorityCheck(url: "https://ca.test/directory")
        #expect(look.clockFault == nil)
        look.clockDifference = difference
        expectEqual((look.clockFault != nil), isFault)
    }

    @Test func `Nonces that are refused without end are not followed`() throws {
        let authority = try FakeAuthority(now: EngineDriver.epoch)
        authority.interfere = { step, _ in
            step == .newAccount ? .answer(FakeAuthority.error(.badNonce, status: 400)) : nil
        }
        var account = AccountState(
            directory: "https://ca.test/directory", key: try AccountKey(PrivateKey.make(.ecdsaP256))
        )
        account.url = "https://ca.test/account/0"
        let (seen, asked) = look(authority, account: account)
        expectEqual(asked, AuthorityCheck.requestsMaximum)
        expectEqual(seen.account, .refused)
        expectEqual(seen.failure?.message.contains("rejected 3 nonces"), true)
        // One that the authority has not named yet is none to ask for.
        account.url = nil
        let fresh = look(try FakeAuthority(now: EngineDriver.epoch), account: account)
        #expect(fresh.asked == 1 && fresh.look.account == .none)
    }

    @Test func `What an authority asks for and the settings lack is said`() throws {
        func missing(
            _ meta: String, profile: String? = nil, agrees: Bool = false, bound: Bool = false,
            hasAccount: Bool = false
        ) throws -> String? {
            let text = """
                {"newNonce":"https://ca.test/n","newAccount":"https://ca.test/a",
                 "newOrder":"https://ca.test/o","meta":{\(meta)}}
                """
            let directory = try Directory(
                JSONReader.read(text: text).root, url: "https://ca.test/directory")
            return MissingSetting.of(
                directory, url: "https://ca.test/directory", profile: profile,
                agreesToTerms: agrees,
                externalAccount: bound
                    ? ExternalAccount(
                        identifier: "k", encodedSecret: "c2VjcmV0LXNlY3JldC1zZWNyZXQ") : nil,
                hasAccount: hasAccount)
        }
        let terms = "\"termsOfService\":\"https://ca.test/t\""
        let bound = "\"externalAccountRequired\":true"
        let profiles = "\"profiles\":{\"b\":\"\",\"a\":\"\"}"
        #expect(try missing("") == nil)
        try expectEqual(missing(terms)?.contains("read https://ca.test/t"), true)
        #expect(try missing(terms, agrees: true) == nil)
        #expect(try missing(terms, hasAccount: true) == nil)
        try expectEqual(missing(bound)?.contains("--acme-eab"), true)
        #expect(try missing(bound, bound: true) == nil)
        #expect(try missing(bound, hasAccount: true) == nil)
        #expect(try missing(profiles, profile: "a") == nil)
        try expectEqual(missing(profiles, profile: "c")?.hasSuffix("it offers a, b"), true)
        try expectEqual(
            missing("", profile: "c", hasAccount: true)?.hasSuffix("it offers none"), true)
    }
}
