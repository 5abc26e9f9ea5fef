package import AppSiteAssociation

/// A scenario for `aasa device rehearse`. Its vocabulary is in ``ScenarioVocabulary``.
///
/// ```json
/// { "app": "D3KQX62K1A.com.example.app",
///   "domains": ["webcredentials:example.com"],
///   "era": "ios13",
///   "accounts": [{"account": "ada", "password": "lovelace"}],
///   "safari": [{"site": "example.com", "account": "ada", "password": "lovelace"}],
///   "steps": [
///     {"do": "log-in", "user": {"picks": "ada"}, "expect": "logged-in"},
///     {"do": "create-account", "account": "grace"},
///     {"do": "change-password", "account": "grace", "user": {"allows": true}},
///     {"do": "log-in", "user": {"answers": ["declines", "allows"],
///                               "types": {"account": "grace", "password": "hopper"}}},
///     {"do": "change-site", "status": 503},
///     {"do": "update-app"},
///     {"do": "wait", "hours": 3, "expect": "not-associated"} ] }
/// ```
package struct Scenario: Sendable {
    /// What is done in a step, by its word.
    package enum Action: String, Sendable {
        /// First the keychain, then shared credentials, then the user.
        case logIn = "log-in"
        case logOut = "log-out"
        case createAccount = "create-account"
        case changePassword = "change-password"
        case deleteAccount = "delete-account"
        /// Only the API call.
        case add
        case request
        case relaunch
        case updateApp = "update-app"
        case deleteApp = "delete-app"
        case installApp = "install-app"
        case changeSite = "change-site"
        case wait
    }

    /// A name and a password for a site.
    package struct Credential: Sendable, Equatable {
        let site: String
        let account: String
        let password: String
    }

    /// The user's reaction to a prompt.
    package enum Choice: Sendable, Equatable {
        case allow
        case refuse
        case pick(account: String)
    }

    /// The user's actions in a step.
    package struct User: Sendable {
        /// One per prompt; ``choice`` answers the others.
        var answers: [Choice] = []
        var choice = Choice.allow
        /// What the user types when asked for name and password.
        var types: Credential?
    }

    package struct Step: Sendable {
        package let action: Action
        /// As written; where an account is changed or saved, the default is filled in. Nil means
        /// every site.
        package let site: String?
        package let account: String?
        package let password: String?
        /// Of `change-site`; nil: the live one.
        package let answer: SimulatedSite?
        /// Of `wait`.
        package let seconds: Int
        /// The action, the account and the site, for people.
        package let title: String
        package let user: User
        /// The expected outcome.
        package let expected: String?
    }

    package let app: String
    package let entries: [EntitlementEntry]
    package let era: Era
    /// The accounts at the site.
    package let accounts: [Credential]
    /// The browser's saved passwords.
    package let safari: [Credential]
    /// The app's keychain.
    package let keychain: [Credential]
    package let steps: [Step]
}

/// The simulated response of a site, instead of the live one.
package struct SimulatedSite: Sendable, Hashable {
    package let status: Int
    package let body: [UInt8]
}

/// An error in a scenario.
package struct ScenarioError: Error, Sendable {
    package let message: String
    package let range: Range<Int>

    init(_ message: String, _ range: Range<Int>) {
        self.message = message
        self.range = range
    }

    /// A difference from the vocabulary: a misspelt key would change the scenario.
    init(_ problem: Diagnostic, in value: JSONValue) {
        self.init(
            problem.message + (problem.remedy.map { ". " + $0 } ?? ""), problem.range ?? value.range
        )
    }
}

extension Scenario {
    /// - Parameter read: reads a file that the scenario names; nil if it cannot.
    package init(
        _ document: JSONDocument, read: @escaping (String) -> [UInt8]? = { _ in nil }
    ) throws(ScenarioError) {
        let root = document.root
        if let problem = ScenarioVocabulary.format.problems(in: document).first {
            throw ScenarioError(problem, in: root)
        }
        app = root["app"]?.string ?? ""
        let entries = (root["domains"]?.strings ?? []).map { EntitlementEntry($0) }
        guard entries.contains(where: { $0.service == "webcredentials" }) else {
            throw ScenarioError(
                "\"domains\" needs an entry of webcredentials, such as webcredentials:example.com",
                root["domains"]?.range ?? root.range)
        }
        self.entries = entries
        era = root["era"]?.string.flatMap { Era(rawValue: $0) } ?? .ios14
        let reader = ScenarioReader(
            read: read,
            site: entries.first { $0.service == "webcredentials" && !$0.isWildcard }?.domain
                .lowercased())
        accounts = try reader.credentials(root["accounts"])
        safari = try reader.credentials(root["safari"])
        keychain = try reader.credentials(root["keychain"])
        steps = try (root["steps"]?.array ?? []).map { value throws(ScenarioError) in
            try reader.step(value, in: document.source)
        }
    }
}

/// Reads the values of a scenario after its vocabulary was checked.
private struct ScenarioReader {
    let read: (String) -> [UInt8]?
    /// The default site; nil if the entitlement has only wildcards.
    let site: String?

    func site(_ value: JSONValue) throws(ScenarioError) -> String {
        if let named = value["site"]?.string { return named.lowercased() }
        if let site { return site }
        throw ScenarioError(
            "this needs a \"site\": *.domain stands for sub-domains, and does not name one of them",
            value.range)
    }

    func credentials(
        _ value: JSONValue?
    ) throws(ScenarioError) -> [Scenario.Credential] {
        try (value?.array ?? []).map(credential)
    }

    private func credential(
        _ value: JSONValue
    ) throws(ScenarioError) -> Scenario.Credential {
        Scenario.Credential(
            site: try site(value), account: value["account"]?.string ?? "",
            password: value["password"]?.string ?? "")
    }

    func step(_ value: JSONValue, in source: SourceText) throws(ScenarioError) -> Scenario.Step {
        let name = value["do"]?.string
        guard let verb = ScenarioVocabulary.verb(name),
            let action = Scenario.Action(rawValue: verb.name)
        else {
            throw ScenarioError(
                "\"do\" is \(name.map { "\"\($0)\"" } ?? "missing"); it is one of "
                    + ScenarioVocabulary.verbs.map(\.name).joined(separator: ", "),
                value["do"]?.range ?? value.range)
        }
        let format = ScenarioVocabulary.format(of: verb)
        if let problem = format.problems(in: value, of: source, named: "the step \(verb.name)")
            .first
        {
            throw ScenarioError(problem, in: value)
        }
        let names = [value["account"]?.string, value["site"]?.string].compactMap { $0 }
        let isOfAccount = [.createAccount, .changePassword, .deleteAccount, .add].contains(action)
        return Scenario.Step(
            action: action,
            site: isOfAccount ? try site(value) : value["site"]?.string?.lowercased(),
            account: value["account"]?.string, password: value["password"]?.string,
            answer: action == .changeSite ? try simulatedSite(value) : nil,
            seconds: action == .wait ? try seconds(value) : 0,
            title: ([verb.name.replacing("-", with: " ")] + names).joined(separator: " "),
            user: try user(value["user"]),
            expected: value["expect"]?.string)
    }

    private func simulatedSite(_ value: JSONValue) throws(ScenarioError) -> SimulatedSite? {
        let status = try number(value["status"], in: 100...599).map { Int($0) }
        var body = value["document"].map { JSONWriter.minified($0) }
        if let name = value["file"]?.string {
            guard body == nil else {
                throw ScenarioError("\"document\" and \"file\" exclude each other", value.range)
            }
            body = read(name)
            if body == nil { throw ScenarioError("the file \(name) cannot be read", value.range) }
        }
        if status == nil, body == nil { return nil }
        return SimulatedSite(status: status ?? 200, body: body ?? [])
    }

    private func seconds(_ value: JSONValue) throws(ScenarioError) -> Int {
        var spans: [Int] = []
        for (key, unit) in [("minutes", 60.0), ("hours", 3600), ("days", 86_400)] {
            let year = 0...365 * 86_400 / unit
            if let span = try number(value[key], in: year) { spans.append(Int(span * unit)) }
        }
        guard spans.count == 1 else {
            throw ScenarioError("\"wait\" needs one of minutes, hours and days", value.range)
        }
        return spans[0]
    }

    private func number(
        _ value: JSONValue?, in range: ClosedRange<Double>
    ) throws(ScenarioError) -> Double? {
        guard let value, case .number(let text) = value.kind else { return nil }
        guard let number = Double(text), range.contains(number) else {
            throw ScenarioError(
                "this needs a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))",
                value.range)
        }
        return number
    }

    private func user(_ value: JSONValue?) throws(ScenarioError) -> Scenario.User {
        var user = Scenario.User()
        guard let value else { return user }
        let said = ["allows", "declines", "picks", "answers"].filter { value[$0] != nil }
        if said.count > 1 {
            throw ScenarioError(
                "\(said.joined(separator: " and ")) contradict each other; \"answers\" takes one "
                    + "answer for each prompt", value.range)
        }
        if let account = value["picks"]?.string { user.choice = .pick(account: account) }
        if value["allows"]?.bool == false || value["declines"]?.bool == true {
            user.choice = .refuse
        }
        user.answers = (value["answers"]?.array ?? []).map { answer in
            if let account = answer["picks"]?.string { return .pick(account: account) }
            return answer.string == "declines" ? .refuse : .allow
        }
        if let typed = value["types"] { user.types = try credential(typed) }
        return user
    }
}
