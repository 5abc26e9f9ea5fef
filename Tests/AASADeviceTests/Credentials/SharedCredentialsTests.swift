import Testing

@testable import AASADevice

@Suite struct SharedCredentialsTests {
    typealias Store = SharedCredentials

    enum Call: String, CaseIterable {
        case addNew, addSame, addChanged, deleteKnown, deleteUnknown, addUnassociated
        case request, requestOther, requestUnassociated
    }

    private static let site = "example.com"
    private static let ada = Store.Credential(site: site, account: "ada", password: "old")
    private static let choices: [Store.Choice] = [
        .allow, .refuse, .pick(account: "ada"), .pick(account: "nobody"),
    ]

    private static func make(
        _ call: Call, _ store: inout Store, _ choose: (String) -> Store.Choice
    ) -> (credential: Store.Credential?, outcome: Store.Outcome) {
        func add(
            _ account: String, _ password: String?, _ associated: Bool = true
        ) -> (Store.Credential?, Store.Outcome) {
            let outcome = store.add(
                site: site, account: account, password: password, isAssociated: associated,
                choose: choose)
            return (nil, outcome)
        }
        return switch call {
        case .addNew: add("grace", "hopper")
        case .addSame: add("ada", "old")
        case .addChanged: add("ada", "new")
        case .deleteKnown: add("ada", nil)
        case .deleteUnknown: add("grace", nil)
        case .addUnassociated: add("ada", "new", false)
        case .request: store.request(sites: [site], account: nil, choose: choose)
        case .requestOther: store.request(sites: [site], account: "grace", choose: choose)
        case .requestUnassociated: store.request(sites: [], account: nil, choose: choose)
        }
    }

    private static func question(_ call: Call) -> String? {
        switch call {
        case .addChanged: "is asked to update the password of ada for example.com"
        case .deleteKnown: "is asked to delete the password of ada for example.com"
        case .request: "sees ada (example.com)"
        case .addNew, .addSame, .deleteUnknown, .addUnassociated, .requestOther,
            .requestUnassociated:
            nil
        }
    }

    private static func expected(_ call: Call, _ choice: Store.Choice) -> Store.Outcome {
        switch (call, choice) {
        case (.addNew, _): .added
        case (.addSame, _): .updated
        case (.deleteUnknown, _), (.requestOther, _): .itemNotFound
        case (.addUnassociated, _), (.requestUnassociated, _): .notAssociated
        case (.addChanged, .allow): .updated
        case (.deleteKnown, .allow): .deleted
        case (.addChanged, _), (.deleteKnown, _): .cancelled
        case (.request, .allow), (.request, .pick(account: "ada")): .found
        case (.request, _): .declined
        }
    }

    @Test(arguments: Call.allCases, choices)
    func everyCallAndChoice(_ call: Call, _ choice: Store.Choice) {
        var store = Store([Self.ada])
        var asked: [String] = []
        let (credential, outcome) = Self.make(call, &store) {
            asked.append($0)
            return choice
        }
        #expect(outcome == Self.expected(call, choice), "\(call) × \(choice)")
        #expect(credential == (outcome == .found ? Self.ada : nil))
        #expect(asked == [Self.question(call)].compactMap { $0 })
        switch (call, choice) {
        case (.addChanged, .allow):
            #expect(store.credentials.map(\.password) == ["new"])
        case (.deleteKnown, .allow): #expect(store.credentials.isEmpty)
        case (.addNew, _): #expect(store.credentials.count == 2)
        default: #expect(store.credentials == [Self.ada])
        }
    }

    @Test func generatesPasswordsLikeTheSystem() {
        let passwords = (0..<50).map { _ in GeneratedPassword.make() }
        #expect(Set(passwords).count == 50)
        for password in passwords {
            let groups = password.split(separator: "-", omittingEmptySubsequences: false)
            #expect(groups.map(\.count) == [3, 3, 3, 3])
        }
    }
}
