import AASADevice
import Testing

@Suite struct SharedCredentialsTests {
    enum State: String, CaseIterable { case idle, updating, deleting, choosing }
    enum Input: String, CaseIterable {
        case addNew, addSame, addChanged, deleteKnown, deleteUnknown, addUnassociated
        case request, requestOther, requestUnassociated
        case allow, refuse, pickAda, pickNobody
    }

    private static let site = "example.com"
    private static let ada = SharedCredentials.Credential(
        site: site, account: "ada", password: "old")

    private static func store(_ state: State) -> SharedCredentials {
        var store = SharedCredentials([ada])
        switch state {
        case .idle: break
        case .updating:
            _ = store.add(site: site, account: "ada", password: "new", isAssociated: true)
        case .deleting:
            _ = store.add(site: site, account: "ada", password: nil, isAssociated: true)
        case .choosing: _ = store.request(sites: [site], account: nil)
        }
        return store
    }

    private static func apply(
        _ input: Input, _ store: inout SharedCredentials
    ) -> SharedCredentials.Step {
        func add(_ account: String, _ password: String?, _ associated: Bool = true)
            -> SharedCredentials.Step
        {
            store.add(
                site: site, account: account, password: password, isAssociated: associated)
        }
        switch input {
        case .addNew: return add("grace", "hopper")
        case .addSame: return add("ada", "old")
        case .addChanged: return add("ada", "new")
        case .deleteKnown: return add("ada", nil)
        case .deleteUnknown: return add("grace", nil)
        case .addUnassociated: return add("ada", "new", false)
        case .request: return store.request(sites: [site], account: nil)
        case .requestOther: return store.request(sites: [site], account: "grace")
        case .requestUnassociated: return store.request(sites: [], account: nil)
        case .allow: return store.answered(.allow)
        case .refuse: return store.answered(.refuse)
        case .pickAda: return store.answered(.pick(account: "ada"))
        case .pickNobody: return store.answered(.pick(account: "nobody"))
        }
    }

    private static func expected(_ state: State, _ input: Input) -> SharedCredentials.Step {
        switch (state, input) {
        case (_, .addNew): .added
        case (_, .addSame): .updated
        case (_, .addChanged): .ask(.update(site: site, account: "ada"))
        case (_, .deleteKnown): .ask(.delete(site: site, account: "ada"))
        case (_, .deleteUnknown), (_, .requestOther): .failed(.itemNotFound)
        case (_, .addUnassociated), (_, .requestUnassociated): .failed(.notAssociated)
        case (_, .request): .ask(.choose([ada]))
        case (.idle, .allow), (.idle, .refuse), (.idle, .pickAda), (.idle, .pickNobody): .none
        case (.updating, .allow): .updated
        case (.deleting, .allow): .deleted
        case (.choosing, .allow), (.choosing, .pickAda): .found(ada)
        case (.choosing, .refuse), (.choosing, .pickNobody): .declined
        case (.updating, .refuse), (.deleting, .refuse), (.updating, .pickAda),
            (.updating, .pickNobody),
            (.deleting, .pickAda), (.deleting, .pickNobody):
            .failed(.cancelled)
        }
    }

    @Test(arguments: State.allCases, Input.allCases)
    func everyStateAndInput(_ state: State, _ input: Input) {
        var store = Self.store(state)
        #expect(Self.apply(input, &store) == Self.expected(state, input), "\(state) × \(input)")
        switch (state, input) {
        case (.updating, .allow):
            #expect(store.credentials.map(\.password) == ["new"])
        case (.deleting, .allow): #expect(store.credentials.isEmpty)
        case (_, .addNew): #expect(store.credentials.count == 2)
        default: #expect(store.credentials == [Self.ada])
        }
    }

    @Test func generatesPasswordsLikeTheSystem() {
        var random = SystemRandomNumberGenerator()
        let passwords = (0..<50).map { _ in GeneratedPassword.make(using: &random) }
        #expect(Set(passwords).count == 50)
        for password in passwords {
            let groups = password.split(separator: "-", omittingEmptySubsequences: false)
            #expect(groups.map(\.count) == [3, 3, 3, 3])
        }
    }
}
