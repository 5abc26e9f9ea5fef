import AppSiteAssociation

/// Runs a scenario: the app, its user and the device, on a virtual clock, against a live endpoint.
package struct Rehearsal {
    /// The events of the scenario, line by line.
    package private(set) var lines: [String] = []
    /// The outcome of each step that has one.
    package private(set) var outcomes: [(name: String, expected: String?)] = []

    private let scenario: Scenario
    private var domains: AssociatedDomains
    private var store: SharedCredentials
    private var keychain: [SharedCredentials.Credential]
    private var accounts: [SharedCredentials.Credential]
    private var makePassword: () -> String
    /// Answers of the current step that no prompt has used yet.
    private var answers: [SharedCredentials.Choice] = []
    /// The number of prompts in the current step.
    private var prompts = 0
    /// Why the scenario cannot work as intended.
    package private(set) var faults: [String] = []

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

    /// Whether every outcome is the expected one; without an expectation, whether nothing failed
    /// because of a missing association.
    package var isGood: Bool {
        faults.isEmpty
            && outcomes.allSatisfy {
                $0.expected == $0.name || $0.expected == nil && !Self.fails($0.name)
            }
    }

    /// Whether an outcome that nothing was expected of is a failure.
    private static func fails(_ outcome: String) -> Bool { outcome == "not-associated" }

    package mutating func run() {
        lines.append("\(scenario.app) on a device of \(scenario.era.rules.title)")
        note("install", domains.install())
        for (number, step) in scenario.steps.enumerated() {
            lines.append("")
            lines.append("\(number + 1). \(step.title)  (+\(spanText(domains.time)))")
            answers = step.user.answers ?? []
            prompts = 0
            let outcome = play(step)
            if !answers.isEmpty {
                let fault =
                    "step \(number + 1) has \(answers.count + prompts) answers and "
                    + counted(prompts, "prompt")
                faults.append(fault)
                say("story", fault)
            }
            // The state is reported, but compared only if the scenario expects one.
            if step.expected == nil, step.action.onlyPasses { continue }
            outcomes.append((outcome, step.expected))
            let wanted = step.expected.map { $0 == outcome ? ", as expected" : ", expected \($0)" }
            let fault =
                Self.fails(outcome)
                ? ", a failure: this step has no \"expect\", so the exit status is 1" : ""
            say("result", outcome + (wanted ?? fault))
        }
    }

    private mutating func say(_ who: String, _ text: String) {
        lines.append("   " + (who + ":").padded(to: 9) + text)
    }

    private mutating func note(_ who: String, _ notes: [String]) {
        for note in notes { say(who, note) }
    }

    private mutating func play(_ step: Scenario.Step) -> String {
        if !domains.isInstalled, step.action.needsApp {
            say("device", "has no such app")
            return "no-app"
        }
        let (site, account) = (step.site ?? "", step.account ?? "")
        switch step.action {
        case .logIn: return logIn(step.account, step.user)
        case .logOut: return logOut(step.account)
        case .createAccount:
            let password = step.password ?? makePassword()
            say("app", "registers \(account) with the password \(password)")
            return store(site, account, password, step.user)
        case .changePassword:
            return change(site, account, step.password ?? makePassword(), step.user)
        case .deleteAccount: return delete(site, account, step.user)
        case .add: return save(site, account, step.password, step.user)
        case .request: return ask(step.site, step.account, step.user).outcome
        case .relaunch:
            say("device", "asks no server: only an install or an update does")
            return standing
        case .updateApp, .installApp:
            note("device", domains.install())
            return standing
        case .deleteApp:
            domains.remove()
            say("device", "its associations end")
            // Observed, not documented.
            say("device", "the keychain keeps what the app put there, the browser what it saved")
            return "no-app"
        case .changeSite:
            domains.change(step.site, to: step.answer)
            let what = step.answer.map {
                "answers \($0.status)" + ($0.body.isEmpty ? "" : " with another document")
            }
            say("site", "\(step.site ?? "every site") \(what ?? "answers itself again")")
            say("device", "asks no server because of that")
            return standing
        case .wait:
            note("device", domains.wait(seconds: step.seconds))
            return standing
        }
    }

    private var standing: String {
        if !domains.isInstalled { return "no-app" }
        return domains.isAssociated ? "associated" : "not-associated"
    }

    // MARK: - Apple's four workflows

    /// Login: first the app's keychain, then shared credentials, then the user.
    private mutating func logIn(_ account: String?, _ user: Scenario.User) -> String {
        if let own = keychain.first(where: { account == nil || $0.account == account }) {
            say("app", "finds \(own.account) in its keychain")
            if signIn(own) { return "logged-in" }
            keychain.removeAll { $0 == own }
        } else {
            say("app", "has nothing in its keychain")
        }
        let (shared, outcome) = ask(nil, account, user)
        if let shared, signIn(shared) {
            keep(shared)
            return "logged-in"
        }
        guard let typed = user.types else {
            say("app", "shows its own login form")
            return outcome == "not-associated" ? outcome : "not-logged-in"
        }
        say("user", "types name and password of \(typed.account)")
        guard signIn(typed) else { return "not-logged-in" }
        keep(typed)
        _ = save(typed.site, typed.account, typed.password, user)
        return "logged-in"
    }

    private mutating func logOut(_ account: String?) -> String {
        let own = keychain.filter { account == nil || $0.account == account }
        guard !own.isEmpty else {
            say("app", "has nothing in its keychain")
            return "not-logged-in"
        }
        for credential in own { say("app", "removes \(credential.account) from its keychain") }
        keychain.removeAll { own.contains($0) }
        return "logged-out"
    }

    private mutating func change(
        _ site: String, _ account: String, _ password: String, _ user: Scenario.User
    ) -> String {
        guard accounts.contains(where: { $0.account == account }) else {
            say("app", "the site knows no \(account)")
            return "no-such-account"
        }
        say("app", "changes the password of \(account) to \(password)")
        return store(site, account, password, user)
    }

    /// The site, the app and the system's password manager know the new password.
    private mutating func store(
        _ site: String, _ account: String, _ password: String, _ user: Scenario.User
    ) -> String {
        let credential = SharedCredentials.Credential(
            site: site, account: account, password: password)
        accounts.removeAll { $0.account == account }
        accounts.append(credential)
        keep(credential)
        return save(site, account, password, user)
    }

    private mutating func delete(
        _ site: String, _ account: String, _ user: Scenario.User
    ) -> String {
        say("app", "deletes \(account) at the site and in its keychain")
        accounts.removeAll { $0.account == account }
        keychain.removeAll { $0.account == account }
        return save(site, account, nil, user)
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
                : "the site refuses \(credential.account)")
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
        var store = store
        let outcome = store.add(
            site: site, account: account, password: password, isAssociated: isAssociated
        ) { choose($0, user) }
        self.store = store
        return tell(outcome)
    }

    private mutating func ask(
        _ site: String?, _ account: String?, _ user: Scenario.User
    ) -> (credential: SharedCredentials.Credential?, outcome: String) {
        say(
            "app",
            "calls SecRequestSharedWebCredential(\(site ?? "nil"), \(account ?? "nil"))")
        note("device", domains.apiCalled(for: site))
        let sites =
            if let site {
                domains.isAssociated(site) ? [site] : []
            } else {
                domains.associatedSites(among: store.credentials.map(\.site))
            }
        let store = store
        let (credential, outcome) = store.request(sites: sites, account: account) {
            choose($0, user)
        }
        if let credential { say("app", "gets \(credential.account) of \(credential.site)") }
        return (credential, tell(outcome))
    }

    /// The user's answer to a prompt.
    private mutating func choose(
        _ prompt: String, _ user: Scenario.User
    ) -> SharedCredentials.Choice {
        prompts += 1
        let choice = answers.isEmpty ? user.choice : answers.removeFirst()
        let answer =
            switch choice {
            case .allow: "allows it"
            case .refuse: "declines"
            case .pick(let account): "picks \(account)"
            }
        say("user", "\(prompt), and \(answer)")
        return choice
    }

    /// Tells what the app gets, and returns the word of the outcome.
    private mutating func tell(_ outcome: SharedCredentials.Outcome) -> String {
        switch outcome {
        case .added: say("device", "saves it without asking")
        case .updated, .deleted, .found: break
        case .declined: say("app", "gets no error and no credential")
        case .notAssociated:
            say("app", "gets the error that the app is not associated with the domain")
        case .itemNotFound:
            say("app", "gets the error errSecItemNotFound (-25300): no credential fits")
        case .cancelled: say("app", "gets the error errSecUserCanceled (-128)")
        }
        return outcome.rawValue
    }
}

extension Scenario.Action {
    /// Whether the app itself acts in this step.
    fileprivate var needsApp: Bool {
        ![.deleteApp, .installApp, .changeSite, .wait].contains(self)
    }

    /// Whether the step has no outcome of its own.
    fileprivate var onlyPasses: Bool {
        [.relaunch, .deleteApp, .changeSite, .wait].contains(self)
    }
}
