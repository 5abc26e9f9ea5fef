import AppSiteAssociation

/// Plays a scenario: the app, its user and the device, on a virtual clock, against a live endpoint.
package struct Rehearsal {
    /// What the people of the story see and do, line by line.
    package private(set) var lines: [String] = []
    /// The outcome of each step that has one.
    package private(set) var outcomes: [(name: String, expected: String?)] = []

    private let scenario: Scenario
    private var domains: AssociatedDomains
    private var store: SharedCredentials
    private var keychain: [SharedCredentials.Credential]
    private var accounts: [SharedCredentials.Credential]
    private var makePassword: () -> String

    package init(
        _ scenario: Scenario, domains: AssociatedDomains, makePassword: @escaping () -> String
    ) {
        self.scenario = scenario
        self.domains = domains
        self.makePassword = makePassword
        store = SharedCredentials(scenario.safari)
        keychain = scenario.keychain
        accounts = scenario.accounts
    }

    /// Whether every outcome is the one expected; without an expectation, whether nothing failed
    /// for want of an association.
    package var isGood: Bool {
        outcomes.allSatisfy { outcome in
            outcome.expected == outcome.name
                || (outcome.expected == nil && outcome.name != "not-associated")
        }
    }

    package mutating func run() {
        lines.append("\(scenario.app) on a device of \(scenario.era.title)")
        note("install", domains.install())
        for (number, step) in scenario.steps.enumerated() {
            lines.append("")
            lines.append("\(number + 1). \(Self.title(step.action))  (+\(spanText(domains.time)))")
            guard let outcome = play(step) else { continue }
            outcomes.append((outcome, step.expected))
            let wanted = step.expected.map { $0 == outcome ? ", as expected" : ", expected \($0)" }
            say("result", outcome + (wanted ?? ""))
        }
    }

    private mutating func say(_ who: String, _ text: String) {
        lines.append("   " + (who + ":").padded(to: 9) + text)
    }

    private mutating func note(_ who: String, _ notes: [String]) {
        for note in notes { say(who, note) }
    }

    private mutating func play(_ step: Scenario.Step) -> String? {
        switch step.action {
        case .logIn(let account): return logIn(account, step.user)
        case .createAccount(let account, let password):
            return create(account, password ?? makePassword(), step.user)
        case .changePassword(let account, let password):
            return change(account, password ?? makePassword(), step.user)
        case .deleteAccount(let account): return delete(account, step.user)
        case .add(let site, let account, let password):
            return save(site, account, password, step.user)
        case .request(let site, let account):
            let (credential, outcome) = ask(site, account, step.user)
            return credential == nil ? outcome : "found"
        case .wait(let seconds):
            note("device", domains.wait(seconds: seconds))
            return nil
        }
    }

    private static func title(_ action: Scenario.Action) -> String {
        switch action {
        case .logIn: "log in"
        case .createAccount(let account, _): "create the account \(account)"
        case .changePassword(let account, _): "change the password of \(account)"
        case .deleteAccount(let account): "delete the account \(account)"
        case .add(let site, let account, let password):
            "\(password == nil ? "delete" : "save") \(account) for \(site)"
        case .request(let site, let account):
            "ask for \(account ?? "any account") of \(site ?? "any site")"
        case .wait(let seconds): "wait \(spanText(seconds))"
        }
    }

    // MARK: - Apple's four workflows

    /// Log in: the app's keychain, then shared credentials, then the user.
    private mutating func logIn(_ account: String?, _ user: Scenario.User) -> String {
        if let own = keychain.first(where: { account == nil || $0.account == account }) {
            say("app", "finds \(own.account) in its keychain")
            if signIn(own) { return "logged-in" }
            keychain.removeAll { $0 == own }
        } else {
            say("app", "has nothing in its keychain")
        }
        let (shared, outcome) = ask(nil, account, user)
        if let shared {
            if signIn(shared) {
                keep(shared)
                return "logged-in"
            }
        }
        guard let typed = user.types else {
            say("app", "shows its own login form")
            return shared == nil && outcome == "not-associated" ? outcome : "not-logged-in"
        }
        say("user", "types name and password of \(typed.account)")
        guard signIn(typed) else { return "not-logged-in" }
        keep(typed)
        _ = save(typed.site, typed.account, typed.password, user)
        return "logged-in"
    }

    private mutating func create(
        _ account: String, _ password: String, _ user: Scenario.User
    ) -> String {
        let site = domains.firstSite
        say("app", "registers \(account) with the password \(password)")
        let credential = SharedCredentials.Credential(
            site: site, account: account, password: password)
        accounts.removeAll { $0.account == account }
        accounts.append(credential)
        keep(credential)
        return save(site, account, password, user)
    }

    private mutating func change(
        _ account: String, _ password: String, _ user: Scenario.User
    ) -> String {
        let site = domains.firstSite
        guard accounts.contains(where: { $0.account == account }) else {
            say("app", "the site knows no \(account)")
            return "no-such-account"
        }
        say("app", "changes the password of \(account) to \(password)")
        let credential = SharedCredentials.Credential(
            site: site, account: account, password: password)
        accounts.removeAll { $0.account == account }
        accounts.append(credential)
        keep(credential)
        return save(site, account, password, user)
    }

    private mutating func delete(_ account: String, _ user: Scenario.User) -> String {
        say("app", "deletes \(account) at the site and in its keychain")
        accounts.removeAll { $0.account == account }
        keychain.removeAll { $0.account == account }
        return save(domains.firstSite, account, nil, user)
    }

    // MARK: - The calls

    private mutating func signIn(_ credential: SharedCredentials.Credential) -> Bool {
        let good = accounts.contains {
            $0.account == credential.account && $0.password == credential.password
        }
        say(
            "app",
            good
                ? "logs in as \(credential.account)"
                : "the site refuses "
                    + "\(credential.account)")
        return good
    }

    private mutating func keep(_ credential: SharedCredentials.Credential) {
        keychain.removeAll { $0.account == credential.account }
        keychain.append(credential)
        say("app", "keeps \(credential.account) in its keychain")
    }

    private mutating func save(
        _ site: String, _ account: String, _ password: String?, _ user: Scenario.User
    ) -> String {
        say(
            "app",
            "calls SecAddSharedWebCredential(\(site), \(account), "
                + "\(password == nil ? "nil" : "…"))")
        note("device", domains.apiCalled(for: site))
        let isAssociated = domains.isAssociated(site)
        let step = store.add(
            site: site, account: account, password: password, isAssociated: isAssociated)
        return finish(step, user).outcome
    }

    private mutating func ask(
        _ site: String?, _ account: String?, _ user: Scenario.User
    ) -> (SharedCredentials.Credential?, String) {
        say(
            "app",
            "calls SecRequestSharedWebCredential(\(site ?? "nil"), \(account ?? "nil"))")
        note("device", domains.apiCalled(for: site))
        let sites = domains.associatedSites.filter { site == nil || $0 == site }
        let step = store.request(sites: sites, account: account)
        let (credential, outcome) = finish(step, user)
        return (credential, outcome)
    }

    private mutating func finish(
        _ step: SharedCredentials.Step, _ user: Scenario.User
    ) -> (credential: SharedCredentials.Credential?, outcome: String) {
        switch step {
        case .ask(let question):
            say("user", Self.sentence(question, user.choice))
            return finish(store.answered(user.choice), user)
        case .added:
            say("device", "saves it without asking")
            return (nil, "added")
        case .updated: return (nil, "updated")
        case .deleted: return (nil, "deleted")
        case .found(let credential):
            say("app", "gets \(credential.account) of \(credential.site)")
            return (credential, "found")
        case .failed(let failure):
            say("app", "gets the error " + Self.sentence(failure))
            return (nil, failure.rawValue)
        case .none: return (nil, "nothing")
        }
    }

    private static func sentence(
        _ question: SharedCredentials.Question, _ choice: SharedCredentials.Choice
    ) -> String {
        let answer =
            switch choice {
            case .allow: "allows it"
            case .refuse: "declines"
            case .pick(let account): "picks \(account)"
            }
        switch question {
        case .update(let site, let account):
            return "is asked to update the password of \(account) for \(site), and \(answer)"
        case .delete(let site, let account):
            return "is asked to delete the password of \(account) for \(site), and \(answer)"
        case .choose(let list):
            let names = list.map { "\($0.account) (\($0.site))" }.joined(separator: ", ")
            return "sees \(names), and \(answer)"
        }
    }

    private static func sentence(_ failure: SharedCredentials.Failure) -> String {
        switch failure {
        case .notAssociated: "that the app is not associated with the domain"
        case .itemNotFound: "errSecItemNotFound (-25300): no credential fits"
        case .cancelled: "errSecUserCanceled (-128)"
        }
    }
}
