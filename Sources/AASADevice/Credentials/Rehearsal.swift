import AppSiteAssociation

/// Runs a scenario: the app, its user and the device, on a virtual clock, against a live endpoint.
package struct Rehearsal {
    /// The events of the scenario, line by line.
    package private(set) var lines: [String] = []
    /// The outcome of each step that has one.
    package private(set) var outcomes: [(name: String, expected: String?)] = []

    private let scenario: Scenario
    private var domains: AssociatedDomains
    /// The device's shared credentials, which the browser has saved.
    private var safari: [Scenario.Credential]
    private var keychain: [Scenario.Credential]
    private var accounts: [Scenario.Credential]
    private var makePassword: () -> String
    /// The user in the current step; each prompt uses up an answer.
    private var user = Scenario.User()
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
        safari = scenario.safari
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
            user = step.user
            prompts = 0
            let outcome = play(step)
            if !user.answers.isEmpty {
                let fault =
                    "step \(number + 1) has \(user.answers.count + prompts) answers and "
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
        case .logIn: return logIn(step.account)
        case .logOut: return logOut(step.account)
        case .createAccount:
            let password = step.password ?? makePassword()
            say("app", "registers \(account) with the password \(password)")
            return store(site, account, password)
        case .changePassword:
            guard accounts.contains(where: { $0.account == account }) else {
                say("app", "the site knows no \(account)")
                return "no-such-account"
            }
            let password = step.password ?? makePassword()
            say("app", "changes the password of \(account) to \(password)")
            return store(site, account, password)
        case .deleteAccount:
            say("app", "deletes \(account) at the site and in its keychain")
            accounts.removeAll { $0.account == account }
            keychain.removeAll { $0.account == account }
            return add(site, account, nil)
        case .add: return add(site, account, step.password)
        case .request: return request(step.site, step.account).outcome
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
            return standing
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
        return domains.isAssociated(nil) ? "associated" : "not-associated"
    }

    // MARK: - Apple's four workflows

    /// Login: first the app's keychain, then shared credentials, then the user.
    private mutating func logIn(_ account: String?) -> String {
        if let own = keychain.first(where: { account == nil || $0.account == account }) {
            say("app", "finds \(own.account) in its keychain")
            if signIn(own) { return "logged-in" }
            keychain.removeAll { $0 == own }
        } else {
            say("app", "has nothing in its keychain")
        }
        let (shared, outcome) = request(nil, account)
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
        _ = add(typed.site, typed.account, typed.password)
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

    /// The site, the app and the system's password manager know the new password.
    private mutating func store(_ site: String, _ account: String, _ password: String) -> String {
        let credential = Scenario.Credential(site: site, account: account, password: password)
        accounts.removeAll { $0.account == account }
        accounts.append(credential)
        keep(credential)
        return add(site, account, password)
    }

    private mutating func signIn(_ credential: Scenario.Credential) -> Bool {
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

    private mutating func keep(_ credential: Scenario.Credential) {
        keychain.removeAll { $0.account == credential.account }
        keychain.append(credential)
        say("app", "keeps \(credential.account) in its keychain")
    }

    // MARK: - The calls

    /// `SecAddSharedWebCredential`: adds without a prompt, updates and deletes with the user's
    /// consent.
    ///
    /// - Parameter password: nil deletes.
    private mutating func add(_ site: String, _ account: String, _ password: String?) -> String {
        say(
            "app",
            "calls SecAddSharedWebCredential(\(site), \(account), "
                + "\(password == nil ? "nil" : "…"))")
        note("device", domains.apiCalled(for: site))
        guard domains.isAssociated(site) else { return tell("not-associated") }
        let known = safari.firstIndex { $0.site == site && $0.account == account }
        let new = password.map {
            Scenario.Credential(site: site, account: account, password: $0)
        }
        if let new, safari.contains(new) { return "updated" }
        guard let known else {
            guard let new else { return tell("item-not-found") }
            safari.append(new)
            say("device", "saves it without asking")
            return "added"
        }
        let change = new == nil ? "delete" : "update"
        // The error is not documented; this is the one that the framework defines for it.
        guard choose("is asked to \(change) the password of \(account) for \(site)") == .allow
        else { return tell("cancelled") }
        safari.replaceSubrange(known...known, with: [new].compactMap { $0 })
        return new == nil ? "deleted" : "updated"
    }

    /// `SecRequestSharedWebCredential`: the user picks a matching credential.
    ///
    /// - Parameters:
    ///   - site: nil for every site that is associated. A wildcard covers sub-domains.
    ///   - account: nil for all.
    private mutating func request(
        _ site: String?, _ account: String?
    ) -> (credential: Scenario.Credential?, outcome: String) {
        say(
            "app",
            "calls SecRequestSharedWebCredential(\(site ?? "nil"), \(account ?? "nil"))")
        note("device", domains.apiCalled(for: site))
        guard domains.isAssociated(site) else { return (nil, tell("not-associated")) }
        let fitting = safari.filter {
            (site == nil ? domains.isAssociated($0.site) : $0.site == site)
                && (account == nil || $0.account == account)
        }
        guard let first = fitting.first else { return (nil, tell("item-not-found")) }
        let names = fitting.map { "\($0.account) (\($0.site))" }.joined(separator: ", ")
        let credential: Scenario.Credential? =
            switch choose("sees \(names)") {
            case .refuse: nil
            // The sheet's button confirms the selection: the first.
            case .allow: first
            case .pick(let account): fitting.first { $0.account == account }
            }
        guard let credential else { return (nil, tell("declined")) }
        say("app", "gets \(credential.account) of \(credential.site)")
        return (credential, "found")
    }

    /// The user's answer to a prompt.
    private mutating func choose(_ prompt: String) -> Scenario.Choice {
        prompts += 1
        let choice = user.answers.isEmpty ? user.choice : user.answers.removeFirst()
        let answer =
            switch choice {
            case .allow: "allows it"
            case .refuse: "declines"
            case .pick(let account): "picks \(account)"
            }
        say("user", "\(prompt), and \(answer)")
        return choice
    }

    /// Tells what the app gets instead of success, and returns the word of the outcome.
    private mutating func tell(_ outcome: String) -> String {
        switch outcome {
        // Observed twice; not documented by Apple.
        case "declined": say("app", "gets no error and no credential")
        // The site does not list the app, or the entitlement does not name the site.
        case "not-associated":
            say("app", "gets the error that the app is not associated with the domain")
        case "item-not-found":
            say("app", "gets the error errSecItemNotFound (-25300): no credential fits")
        default: say("app", "gets the error errSecUserCanceled (-128)")
        }
        return outcome
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

/// `SecCreateSharedWebCredentialPassword`: four groups of three, easy to read and to type.
package enum GeneratedPassword {
    /// Without characters that are easily confused.
    private static let characters = Array("abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789")

    package static func make() -> String {
        (0..<4).map { _ in
            String((0..<3).map { _ in characters.randomElement() ?? "x" })
        }.joined(separator: "-")
    }
}
