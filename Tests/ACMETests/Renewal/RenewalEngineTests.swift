// Covers: RenewalEvent.swift

import OpenSSL
import TestSupport
import Testing

@testable import ACME

@Suite struct RenewalEngineTests {
    private let shop = WantedCertificate(
        folder: "shop.test", names: ["shop.test", "www.shop.test"])
    private let blog = WantedCertificate(folder: "blog.test", names: ["blog.test"])

    @Test func `A new host gets its certificate, and nothing is asked after that`() throws {
        let driver = try EngineDriver([shop, blog])
        driver.authority.offersRenewalInfo = false
        driver.run(for: 600)
        expectEqual(driver.installed.map(\.id.folder).sorted(), ["blog.test", "shop.test"])
        expectEqual(driver.authority.accounts.count, 1)
        #expect(driver.authority.protocolErrors.isEmpty)
        #expect(driver.published.isEmpty, "challenges are taken back")
        for entry in driver.installed {
            #expect(entry.pair.key.matches(entry.pair.leaf))
        }
        let asked = driver.authority.requests.count
        driver.run(for: 40 * 86_400)
        expectEqual(driver.authority.requests.count, asked)
    }

    @Test func `A renewal comes before two thirds of the life, with replaces`() throws {
        let driver = try EngineDriver([blog])
        driver.run(for: 70 * 86_400)
        expectEqual(driver.authority.issued.count, 2)
        expectEqual(driver.authority.issued.last?.replaces, true)
        let second = try #require(driver.authority.issued.last?.at) - EngineDriver.epoch
        #expect((50 * 86_400...64 * 86_400).contains(second), "after \(second / 86_400) days")
    }

    /// The account was lost and made anew: the certificate in use is another account's, and Boulder
    /// answers `unauthorized`; `malformed` where it does not know the certificate.
    @Test(arguments: [
        ProblemDocument.Kind.unauthorized, .malformed, .alreadyReplaced, .alreadyRevoked,
    ]) func `A renewal whose replaces is refused goes on without`(
        kind: ProblemDocument.Kind
    ) throws {
        let driver = try EngineDriver([blog])
        driver.run(for: 86_400)
        driver.authority.forgetAccounts()
        driver.authority.refusesReplaces = kind
        driver.run(for: 69 * 86_400)
        expectEqual(driver.authority.issued.map(\.replaces), [false, false])
        #expect(driver.failures.isEmpty)
        #expect(driver.authority.protocolErrors.isEmpty)
    }

    @Test func `A replaces is kept where the refusal is about something else`() throws {
        let driver = try EngineDriver([blog])
        driver.run(for: 86_400)
        driver.authority.interfere = { step, count in
            step == .newOrder && count == 2
                ? .answer(FakeAuthority.error(.rejectedIdentifier, "not now")) : nil
        }
        driver.run(for: 69 * 86_400)
        expectEqual(driver.failures.count, 1)
        expectEqual(driver.authority.issued.map(\.replaces), [false, true])
    }

    @Test func `Certificates of six days are renewed with two days left`() throws {
        let driver = try EngineDriver([blog])
        driver.authority.life = 6 * 86_400
        driver.authority.offersRenewalInfo = false
        driver.run(for: 30 * 86_400)
        let times = driver.authority.issued.map(\.at)
        for (a, b) in zip(times, times.dropFirst()) {
            #expect((3 * 86_400...4 * 86_400).contains(b - a))
        }
    }

    @Test func `A window that moves to now renews now`() throws {
        let driver = try EngineDriver([blog])
        driver.run(for: 10 * 86_400)
        expectEqual(driver.authority.issued.count, 1)
        let revokedAt = driver.now
        driver.authority.window = { facts in
            facts.notBefore < revokedAt - 86_400
                ? RenewalInfo(start: revokedAt - 7200, end: revokedAt - 3600)
                : RenewalInfo(
                    start: facts.notAfter - 86_400 * 30, end: facts.notAfter - 86_400 * 29)
        }
        driver.run(for: 86_400)
        expectEqual(driver.authority.issued.count, 2)
        driver.run(for: 10 * 86_400)
        expectEqual(driver.authority.issued.count, 2)
    }

    @Test func `A window that lies beyond the end does not end the certificate`() throws {
        let driver = try EngineDriver([blog])
        driver.authority.window = {
            RenewalInfo(start: $0.notAfter + 86_400, end: $0.notAfter + 86_400 * 2)
        }
        driver.run(for: 400 * 86_400)
        let times = driver.authority.issued.map(\.at)
        #expect(times.count >= 5)
        for (a, b) in zip(times, times.dropFirst()) { #expect(b - a < 80 * 86_400) }
    }

    @Test func `What somebody else put there is left alone, whatever it is`() throws {
        let driver = try EngineDriver([shop])
        driver.put(.foreign("it is certbot's"), in: "shop.test")
        driver.run(for: 365 * 86_400)
        #expect(driver.authority.requests.isEmpty)
    }

    @Test func `A new alias is ordered at once, and an RSA pair beside on request`() throws {
        let driver = try EngineDriver([blog]) { $0.keys = [.ecdsaP256, .rsa(bits: 2048)] }
        driver.run(for: 600)
        expectEqual(driver.installed.map(\.id.isRSA), [false, true])
        driver.wanted = [WantedCertificate(folder: "blog.test", names: ["blog.test", "b.test"])]
        driver.engine.update(wanted: driver.wanted, contents: driver.contents)
        driver.run(for: 600)
        expectEqual(driver.installed.count, 4)
        #expect(driver.installed.suffix(2).allSatisfy { $0.pair.leaf.covers("b.test") })
    }

    private let stable = WantedCertificate(folder: "a.test", names: ["a.test", "old.test"])
    private let canary = WantedCertificate(folder: "a.test", names: ["a.test", "new.test"])

    /// Takes turns with the lease and the store, as machines of two channels do.
    private func run(_ driver: EngineDriver, as wanted: WantedCertificate, for seconds: Int64) {
        driver.wanted = [wanted]
        driver.engine.update(wanted: driver.wanted, contents: driver.contents)
        driver.run(for: seconds)
    }

    private func names(_ driver: EngineDriver) -> [Set<String>] {
        driver.installed.map { Set($0.pair.leaf.summary.names) }
    }

    @Test func `Machines of two channels agree on one certificate`() throws {
        let driver = try EngineDriver([stable]) { $0.isShared = true }
        driver.authority.offersRenewalInfo = false
        let both: Set = ["a.test", "old.test", "new.test"]
        for _ in 0..<5 {
            run(driver, as: stable, for: 600)
            run(driver, as: canary, for: 600)
        }
        expectEqual(names(driver), [Set(stable.names), both])
        // The channels are at one again: what nobody wants falls out when its renewal is due.
        run(driver, as: canary, for: 70 * 86_400)
        expectEqual(names(driver), [Set(stable.names), both, Set(canary.names)])
    }

    @Test func `An alias that is gone for good does not keep a new one out`() throws {
        let driver = try EngineDriver([stable]) { $0.isShared = true }
        driver.authority.offersRenewalInfo = false
        driver.run(for: 600)
        driver.authority.validate = {
            $0 == "old.test" ? ProblemDocument(.dns, "no A record") : nil
        }
        // What replaces a certificate of the same day waits for up to six hours.
        for _ in 0..<3 {
            run(driver, as: canary, for: 8 * 3600)
            // It lags behind: what it wants cannot be had, and the others keep theirs.
            run(driver, as: stable, for: 8 * 3600)
        }
        expectEqual(names(driver), [Set(stable.names), Set(canary.names)])
        run(driver, as: canary, for: 3600)
        let record = driver.engine.records[LineageID(folder: "a.test")]
        expectEqual(
            record?.failingNames.keys.sorted(), ["old.test"], "the other machine's failures")
        expectEqual(driver.installed.count, 2)
    }

    @Test func `A name that fails alone is left out where that is wanted, and tried again`() throws
    {
        let driver = try EngineDriver([shop]) { $0.leavesFailingNamesOut = true }
        driver.authority.validate = {
            $0 == "www.shop.test" ? ProblemDocument(.dns, "no A record") : nil
        }
        driver.run(for: 86_400 / 2)
        let first = try #require(driver.installed.first)
        #expect(first.pair.leaf.covers("shop.test"))
        #expect(!first.pair.leaf.covers("www.shop.test"))
        #expect(
            driver.events.contains {
                if case .leavesOut(_, ["www.shop.test"]) = $0 { true } else { false }
            })
        driver.authority.validate = { _ in nil }
        driver.run(for: 3 * 86_400)
        expectEqual(driver.installed.last?.pair.leaf.covers("www.shop.test"), true)
    }

    /// Boulder refuses the whole order at newOrder and names the one that it does not issue for.
    @Test(arguments: [true, false])
    func `A name that the authority refuses to take is left out as well`(
        isSubproblem: Bool
    ) throws {
        let driver = try EngineDriver([shop]) { $0.leavesFailingNamesOut = true }
        let problem =
            isSubproblem
            ? #"""
            {"type":"urn:ietf:params:acme:error:malformed","detail":"several","subproblems":[
             {"type":"urn:ietf:params:acme:error:rejectedIdentifier","detail":"no",
              "identifier":{"type":"dns","value":"www.shop.test"}}]}
            """#
            : #"""
            {"type":"urn:ietf:params:acme:error:rejectedIdentifier",
             "detail":"Cannot issue for \"www.shop.test\": forbidden by policy"}
            """#
        // The order of both names is refused, the one of shop.test alone is not.
        driver.authority.interfere = { step, count in
            step == .newOrder && count <= 2
                ? .answer(AuthorityResponse(status: 400, body: Array(problem.utf8))) : nil
        }
        driver.run(for: 86_400 / 2)
        let first = try #require(driver.installed.first)
        expectEqual(first.pair.leaf.summary.names, ["shop.test"])
        #expect(driver.failures.allSatisfy { $0.remedy.contains("www.shop.test") })
    }

    @Test func `Without the option the others wait, within the limits of failed validations`()
        throws
    {
        let driver = try EngineDriver([shop])
        driver.authority.validate = {
            $0 == "www.shop.test" ? ProblemDocument(.dns, "no A record") : nil
        }
        driver.run(for: 30 * 86_400)
        #expect(driver.installed.isEmpty)
        let times = driver.authority.failedValidations.map(\.at)
        for (index, time) in times.enumerated() {
            #expect(times[index...].prefix { $0 - time < 3600 }.count <= 5)
        }
        #expect(times.count < 30 * 5, "\(times.count) tries in a month")
    }

    @Test func `The second authority is asked when the first refuses for long`() throws {
        let driver = try EngineDriver([blog]) {
            $0.authorities = [
                .init(directory: "https://ca.test/no/directory"),
                .init(directory: "https://ca.test/directory"),
            ]
        }
        driver.run(for: 3 * 3600)
        expectEqual(driver.installed.count, 1)
        #expect(driver.failures.count <= 3)
    }

    /// Each certificate for itself would need three failures, of which a silent authority allows
    /// one in six hours: 50 hosts would need weeks.
    @Test func `An authority that is silent for good is passed over by all certificates`() throws {
        let driver = try EngineDriver(
            (0..<50).map { .init(folder: "h\($0).test", names: ["h\($0).test"]) }
        ) {
            $0.authorities = [
                .init(directory: "https://dead.test/directory"),
                .init(directory: "https://ca.test/directory"),
            ]
        }
        driver.silentPrefix = "https://dead.test/"
        driver.run(for: 86_400)
        expectEqual(driver.installed.count, 50)
        // It is asked again now and then, and is the first choice again when it answers.
        #expect(driver.engine.silent["https://dead.test/directory"] != nil)
    }

    @Test func `Where all authorities are silent, the first whose pause ends is asked`() throws {
        let driver = try EngineDriver([blog]) {
            $0.authorities = [
                .init(directory: "https://dead.test/directory"),
                .init(directory: "https://ca.test/directory"),
            ]
        }
        let now = driver.now
        driver.engine.silent["https://dead.test/directory"] = (9, now + 9000)
        driver.engine.silent["https://ca.test/directory"] = (9, now + 600)
        driver.silentPrefix = "https://dead.test/"
        driver.run(for: 1200)
        expectEqual(driver.installed.count, 1)
    }

    /// In a fleet the lease is given back during a wait: another machine may reach the authority.
    @Test func `No question keeps a machine awake while the authority is silent`() throws {
        let driver = try EngineDriver([blog])
        driver.run(for: 600)
        let record = try #require(driver.engine.records[LineageID(folder: "blog.test")])
        let later = record.windowAskAt + 60
        driver.engine.silent["https://ca.test/directory"] = (3, later + 7200)
        guard case .wait(let until) = driver.engine.next(now: later) else {
            Issue.record("it asks a silent authority")
            return
        }
        #expect(until > later + 60)
    }

    @Test func `A disk that is full loses no certificate, and the order is not made twice`() throws
    {
        let driver = try EngineDriver([blog])
        var isFull = true
        driver.refusesToSave = { action in
            if case .install = action, isFull { "no space left on device" } else { nil }
        }
        driver.run(for: 3600)
        #expect(driver.installed.isEmpty)
        #expect(driver.failures.allSatisfy { $0.message.contains("no space left") })
        isFull = false
        driver.run(for: 86_400)
        expectEqual(driver.installed.count, 1)
        expectEqual(driver.authority.orders.count, 1)
        expectEqual(driver.authority.issued.count, 1)
    }

    @Test func `A window that is always over renews once a day and not without end`() throws {
        let driver = try EngineDriver([blog])
        driver.authority.window = {
            RenewalInfo(start: $0.notBefore - 7200, end: $0.notBefore - 3600)
        }
        driver.run(for: 10 * 86_400, stepsMaximum: 20_000)
        #expect((2...13).contains(driver.authority.issued.count))
    }

    @Test func `The moment of the next question outlives a restart`() throws {
        let driver = try EngineDriver([blog])
        // Three questions later; the next is due after more than a day.
        driver.run(for: 80_000)
        let asked = driver.authority.requests.count
        driver.restart()
        driver.run(for: 60)
        expectEqual(driver.authority.requests.count, asked)
    }
}
