import AppSiteAssociation
import OpenSSL
import TestSupport
import Testing

@testable import ACME

@Suite struct AccountStateTests {
    private func stored(_ change: (inout AccountState) -> Void = { _ in }) throws -> AccountState {
        let key = try AccountKey(PrivateKey.make(.ecdsaP256))
        var state = AccountState(directory: "https://ca.test/directory", key: key)
        change(&state)
        return state
    }

    /// After an interruption the same key gets the same account.
    @Test func itComesBackWholeFromItsFile() throws {
        let state = try stored {
            $0.url = "https://ca.test/account/7"
            $0.contact = ["mailto:a@b.example", "mailto:c@d.example"]
        }
        let read = try AccountState(state.json, name: "account.json")
        #expect(read.directory == state.directory && read.url == state.url)
        expectEqual(read.contact, state.contact)
        expectEqual(read.key.key.unencryptedPEM(), state.key.key.unencryptedPEM())
    }

    @Test func anAccountThatTheAuthorityHasNotSeenHasNoURL() throws {
        let read = try AccountState(try stored().json, name: "account.json")
        #expect(read.url == nil && read.contact.isEmpty)
    }

    @Test func whatIsMissingOrNoKeyIsNamedWithItsFile() throws {
        guard case .object(let members) = try stored().json.kind else {
            Issue.record("no object")
            return
        }
        for name in ["directory", "key"] {
            let damaged = JSONValue(.object(members.filter { $0.key != name }))
            let failure = #expect(throws: InvalidResponse.self) {
                try AccountState(damaged, name: "account.json")
            }
            expectEqual(failure.map { "\($0)" }?.contains("account.json"), true)
        }
        let noKey = JSONValue.object([("directory", .text("x")), ("key", .text("no key"))])
        #expect(throws: (any Error).self) { try AccountState(noKey, name: "account.json") }
    }
}
