package import AppSiteAssociation

/// A story for `aasa device rehearse`.
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
///     {"do": "delete-account", "account": "grace", "user": {"allows": false}},
///     {"do": "wait", "hours": 3} ] }
/// ```
package struct Scenario: Sendable {
    package enum Action: Sendable, Hashable {
        /// The keychain first, then shared credentials, then the user is asked.
        case logIn(account: String?)
        case createAccount(account: String, password: String?)
        case changePassword(account: String, password: String?)
        case deleteAccount(account: String)
        /// The call alone.
        case add(site: String, account: String, password: String?)
        case request(site: String?, account: String?)
        case wait(seconds: Int)
    }

    /// What the user does in a step.
    package struct User: Sendable, Hashable {
        package var choice: SharedCredentials.Choice = .allow
        /// What the user types when asked for name and password.
        package var types: SharedCredentials.Credential?
    }

    package struct Step: Sendable {
        package let action: Action
        package let user: User
        /// The outcome that the story wants.
        package let expected: String?
    }

    package let app: String
    package let entries: [EntitlementEntry]
    package let era: Era
    /// What the site knows: who can log in.
    package let accounts: [SharedCredentials.Credential]
    /// What the browser has saved.
    package let safari: [SharedCredentials.Credential]
    /// What the app has kept.
    package let keychain: [SharedCredentials.Credential]
    package let steps: [Step]
}

/// What is wrong with a scenario.
package struct ScenarioError: Error, Sendable {
    package let message: String
    package let range: Range<Int>
}

extension Scenario {
    package init(_ document: JSONDocument) throws(ScenarioError) {
        let root = document.root
        func fail(_ message: String, _ value: JSONValue?) -> ScenarioError {
            ScenarioError(message: message, range: value?.range ?? root.range)
        }
        guard root.members != nil else { throw fail("a scenario is an object", root) }
        guard let app = root["app"]?.string else {
            throw fail("\"app\" has to be the application identifier", root["app"])
        }
        self.app = app
        let domains = root["domains"]?.array?.compactMap(\.string) ?? []
        guard let first = domains.first else {
            throw fail(
                "\"domains\" has to list entries such as "
                    + "webcredentials:example.com", root["domains"])
        }
        entries = domains.map { EntitlementEntry($0) }
        let site = EntitlementEntry(first).domain.lowercased()
        let name = root["era"]?.string ?? Era.ios14.rawValue
        guard let era = Era(rawValue: name) else {
            let names = Era.allCases.map(\.rawValue).joined(separator: ", ")
            throw fail("\"era\" is one of \(names)", root["era"])
        }
        self.era = era
        accounts = try Self.credentials(root["accounts"], site)
        safari = try Self.credentials(root["safari"], site)
        keychain = try Self.credentials(root["keychain"], site)
        guard let list = root["steps"]?.array else {
            throw fail("\"steps\" has to be a list", root["steps"])
        }
        var steps: [Step] = []
        for value in list { steps.append(try Self.step(value, site)) }
        self.steps = steps
    }

    private static func credentials(
        _ value: JSONValue?, _ site: String
    ) throws(ScenarioError) -> [SharedCredentials.Credential] {
        var list: [SharedCredentials.Credential] = []
        for entry in value?.array ?? [] {
            guard let account = entry["account"]?.string, let password = entry["password"]?.string
            else {
                throw ScenarioError(
                    message: "a credential has an \"account\" and a \"password\"",
                    range: entry.range)
            }
            list.append(
                SharedCredentials.Credential(
                    site: entry["site"]?.string ?? site, account: account, password: password))
        }
        return list
    }

    private static func step(_ value: JSONValue, _ site: String) throws(ScenarioError) -> Step {
        func account() throws(ScenarioError) -> String {
            if let account = value["account"]?.string { return account }
            throw ScenarioError(message: "this step wants an \"account\"", range: value.range)
        }
        let password = value["password"]?.string
        let action: Action
        switch value["do"]?.string {
        case "log-in": action = .logIn(account: value["account"]?.string)
        case "create-account":
            action = .createAccount(account: try account(), password: password)
        case "change-password":
            action = .changePassword(account: try account(), password: password)
        case "delete-account": action = .deleteAccount(account: try account())
        case "add":
            action = .add(
                site: value["site"]?.string ?? site, account: try account(), password: password)
        case "request":
            action = .request(site: value["site"]?.string, account: value["account"]?.string)
        case "wait":
            guard case .number(let text) = value["hours"]?.kind, let hours = Double(text),
                (0...8760).contains(hours)
            else {
                throw ScenarioError(
                    message: "\"wait\" wants \"hours\", 0 to 8760", range: value.range)
            }
            action = .wait(seconds: Int(hours * 3600))
        case let other:
            throw ScenarioError(
                message: "\"do\" is \(other ?? "missing"); it is one of log-in, create-account, "
                    + "change-password, delete-account, add, request, wait", range: value.range)
        }
        return Step(
            action: action, user: user(value["user"], site), expected: value["expect"]?.string)
    }

    private static func user(_ value: JSONValue?, _ site: String) -> User {
        var user = User()
        if let account = value?["picks"]?.string { user.choice = .pick(account: account) }
        if value?["allows"]?.bool == false || value?["declines"]?.bool == true {
            user.choice = .refuse
        }
        if let typed = value?["types"], let account = typed["account"]?.string,
            let password = typed["password"]?.string
        {
            user.types = SharedCredentials.Credential(
                site: site, account: account, password: password)
        }
        return user
    }
}
