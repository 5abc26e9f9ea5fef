import AASAClient
import AASADevice
import AppSiteAssociation
import TestSupport
import Testing

/// Apple's four workflows, word for word.
@Suite struct RehearsalTests: RehearsalSuite {
    @Test func logsInWithTheKeychainThenSharedCredentialsThenAsks() throws {
        let (lines, isGood) = try Self.play(
            Self.story(
                """
                "safari": [{"account": "ada", "password": "lovelace"}],
                "steps": [
                  {"do": "log-in", "user": {"declines": true,
                   "types": {"account": "ada", "password": "wrong"}}, "expect": "not-logged-in"},
                  {"do": "log-in", "user": {"picks": "ada"}, "expect": "logged-in"},
                  {"do": "log-in", "expect": "logged-in"}]
                """))
        #expect(isGood)
        expectEqual(
            lines.joined(separator: "\n"),
            """
            D3KQX62K1A.com.example.app on a device of iOS 13
               install: example.com: associated

            1. log in  (+0 s)
               app:     has nothing in its keychain
               app:     calls SecRequestSharedWebCredential(nil, nil)
               user:    sees ada (example.com), and declines
               app:     gets no error and no credential
               user:    types name and password of ada
               app:     the site refuses ada
               result:  not-logged-in, as expected

            2. log in  (+0 s)
               app:     has nothing in its keychain
               app:     calls SecRequestSharedWebCredential(nil, nil)
               user:    sees ada (example.com), and picks ada
               app:     gets ada of example.com
               app:     logs in as ada
               app:     keeps ada in its keychain
               result:  logged-in, as expected

            3. log in  (+0 s)
               app:     finds ada in its keychain
               app:     logs in as ada
               result:  logged-in, as expected
            """)
    }

    @Test func createsChangesAndDeletes() throws {
        let (lines, isGood) = try Self.play(
            Self.story(
                """
                "steps": [
                  {"do": "create-account", "account": "grace", "expect": "added"},
                  {"do": "change-password", "account": "grace", "expect": "updated",
                   "password": "cobol"},
                  {"do": "delete-account", "account": "grace", "user": {"allows": false},
                   "expect": "cancelled"},
                  {"do": "delete-account", "account": "grace", "expect": "deleted"},
                  {"do": "delete-account", "account": "grace", "expect": "item-not-found"}]
                """))
        #expect(isGood)
        expectEqual(
            lines.dropFirst(3).prefix(11).joined(separator: "\n"),
            """
            1. create account grace  (+0 s)
               app:     registers grace with the password abc-def-ghi-jkm
               app:     keeps grace in its keychain
               app:     calls SecAddSharedWebCredential(example.com, grace, …)
               device:  saves it without asking
               result:  added, as expected

            2. change password grace  (+0 s)
               app:     changes the password of grace to cobol
               app:     keeps grace in its keychain
               app:     calls SecAddSharedWebCredential(example.com, grace, …)
            """)
    }

    @Test func asksAgainWhenTheAPIIsCalled() throws {
        let (lines, isGood) = try Self.play(
            Self.story(
                """
                "safari": [{"account": "ada", "password": "lovelace"}],
                "steps": [{"do": "request", "expect": "not-associated"},
                          {"do": "request", "user": {"picks": "ada"}, "expect": "found"}]
                """, era: "ios9.3"), statuses: [503, 503, 200])
        #expect(isGood)
        #expect(lines.contains { $0.contains("asks again because of the call") })
    }

    @Test func looksAgainWhenTheTimerFires() throws {
        let (lines, isGood) = try Self.play(
            Self.story(
                """
                "steps": [{"do": "wait", "hours": 2.5}, {"do": "wait", "hours": 1},
                          {"do": "add", "account": "x", "password": "y", "expect": "added"}]
                """, era: "ios9.3"), statuses: [503, 200])
        #expect(isGood)
        #expect(lines.contains("   device:  has no reason to ask"))
        #expect(lines.contains("   device:  +3 h looks again: example.com: associated"))
    }

    @Test func aSiteThatDoesNotListTheAppIsNotAssociated() throws {
        let (_, isGood) = try Self.play(
            Self.story("\"steps\": [{\"do\": \"log-in\"}]"), statuses: [404])
        #expect(!isGood)
    }

    /// "Not Now" is no error and no credential; only an update or a deletion is cancelled.
    @Test func notNowIsNoError() throws {
        #expect(
            try Self.holds(
                """
                {"do": "request", "user": {"declines": true}, "expect": "declined"},
                {"do": "request", "user": {"picks": "nobody"}, "expect": "declined"},
                {"do": "change-password", "account": "ada", "user": {"declines": true},
                 "expect": "cancelled"},
                {"do": "add", "account": "ada", "user": {"declines": true}, "expect": "cancelled"},
                {"do": "request", "account": "bob", "expect": "item-not-found"}
                """))
    }

    /// A call that asks the user, and one that does not, with each of the user's reactions: to
    /// allow, to decline, to pick ada, to pick another.
    @Test(
        arguments: [
            (#""do": "add", "account": "grace", "password": "hopper""#, nil, "added", "added"),
            (#""do": "add", "account": "ada", "password": "old""#, nil, "updated", "updated"),
            (
                #""do": "add", "account": "ada", "password": "new""#,
                "is asked to update the password of ada for example.com", "updated", "cancelled"
            ),
            (
                #""do": "add", "account": "ada""#,
                "is asked to delete the password of ada for example.com", "deleted", "cancelled"
            ),
            (#""do": "add", "account": "grace""#, nil, "item-not-found", "item-not-found"),
            (
                #""do": "add", "site": "a.com", "account": "ada", "password": "new""#, nil,
                "not-associated", "not-associated"
            ),
            (#""do": "request""#, "sees ada (example.com)", "found", "declined"),
            (#""do": "request", "account": "grace""#, nil, "item-not-found", "item-not-found"),
            (#""do": "request", "site": "a.com""#, nil, "not-associated", "not-associated"),
        ] as [(String, String?, String, String)])
    func everyCallAndChoice(
        _ step: String, prompt: String?, allowed: String, declined: String
    ) throws {
        for choice in [
            #""allows": true"#, #""declines": true"#, #""picks": "ada""#, #""picks": "nobody""#,
        ] {
            let isAllowed =
                choice.contains("allows") || step.contains("request") && choice.contains("ada")
            let outcome = isAllowed ? allowed : declined
            let isNew = prompt?.contains("update") == true && isAllowed
            let (lines, isGood) = try Self.play(
                """
                {"app": "\(Self.app)", "domains": ["webcredentials:example.com"], "era": "ios13",
                 "accounts": [{"account": "ada", "password": "new"}],
                 "safari": [{"account": "ada", "password": "old"}],
                 "steps": [{\(step), "user": {\(choice)}, "expect": "\(outcome)"},
                           {"do": "log-in", "expect": "\(isNew ? "" : "not-")logged-in"}]}
                """)
            #expect(isGood, "\(lines)")
            let asked = lines.prefix { !$0.hasPrefix("2. ") }.filter { $0.hasPrefix("   user:") }
            expectEqual(asked.count, (prompt == nil ? 0 : 1), "\(lines)")
            #expect(asked.allSatisfy { $0.contains("user:    \(prompt ?? ""), and ") })
            let left = lines.contains { $0.contains("sees ada (example.com)") }
            expectEqual(left, (outcome != "deleted"), "\(lines)")
        }
    }

    @Test func generatesPasswordsLikeTheSystem() {
        let passwords = (0..<50).map { _ in GeneratedPassword.make() }
        expectEqual(Set(passwords).count, 50)
        for password in passwords {
            let groups = password.split(separator: "-", omittingEmptySubsequences: false)
            expectEqual(groups.map(\.count), [3, 3, 3, 3])
        }
    }

    @Test func severalPromptsTakeSeveralAnswers() throws {
        let steps = """
            {"do": "log-in", "user": {"answers": ["declines", "allows"],
              "types": {"account": "ada", "password": "lovelace"}}, "expect": "logged-in"},
            {"do": "request", "user": {"answers": [{"picks": "ada"}]}, "expect": "found"}
            """
        // The second prompt is the update of ada's old password.
        #expect(
            try Self.play(
                """
                {"app": "\(Self.app)", "domains": ["webcredentials:example.com"], "era": "ios13",
                 "accounts": [{"account": "ada", "password": "lovelace"}],
                 "safari": [{"account": "ada", "password": "old"}], "steps": [\(steps)]}
                """
            ).isGood)
        // An answer that no prompt takes: the story is another one than its writer thinks.
        let (lines, isGood) = try Self.play(
            Self.story(
                """
                "steps": [{"do": "request", "user": {"answers": ["allows", "declines"]},
                           "expect": "item-not-found"}]
                """))
        #expect(!isGood)
        #expect(lines.contains("   story:   step 1 has 2 answers and 0 prompts"))
    }

    @Test func logsOutAndInAgain() throws {
        #expect(
            try Self.holds(
                """
                {"do": "log-out", "expect": "not-logged-in"},
                {"do": "log-in", "user": {"picks": "ada"}, "expect": "logged-in"},
                {"do": "log-out", "expect": "logged-out"},
                {"do": "log-in", "user": {"declines": true}, "expect": "not-logged-in"}
                """))
    }

    /// The exit status is 1, and the story says why.
    @Test func saysWhyAStepWithoutExpectationFails() throws {
        let (lines, isGood) = try Self.play(
            Self.story("\"steps\": [{\"do\": \"request\"}, {\"do\": \"update-app\"}]"),
            statuses: [404])
        #expect(!isGood)
        let results = lines.filter { $0.contains("result:") }
        expectEqual(results.count, 2)
        #expect(results.allSatisfy { $0.contains("no \"expect\"") && $0.contains("status is 1") })
    }

    /// A site may change to a document of any form, in a file beside the story.
    @Test func aSiteChangesToTheContentOfAFile() throws {
        let story = Self.story(
            """
            "steps": [{"do": "change-site", "file": "FILE"},
                      {"do": "update-app", "expect": "associated"}]
            """, era: "ios8")
        func play(_ file: String) throws(ScenarioError) -> Bool {
            let text = story.replacing("FILE", with: file)
            guard let document = try? JSONReader.read(SourceText(name: "story", text: text)) else {
                return false
            }
            let scenario = try Scenario(document) { $0 == "signed" ? [0x30, 0x80] : nil }
            var settings = Device.Settings(
                app: scenario.app, era: scenario.era,
                signatures: { bytes, _, _ in
                    SignedDocument(
                        payload: Array("{\"webcredentials\":{\"apps\":[\"\(Self.app)\"]}}".utf8),
                        problem: bytes == [0x30, 0x80] ? nil : "another one")
                })
            settings.cdn = .played
            let domains = AssociatedDomains(
                scenario.entries, settings, chance: { 0 }, ask: { ClientExchange(request: $0) })
            var rehearsal = Rehearsal(scenario, domains: domains, makePassword: { "" })
            rehearsal.run()
            return rehearsal.isGood
        }
        #expect(try play("signed"))
        #expect(throws: ScenarioError.self) { try play("missing") }
    }
}
