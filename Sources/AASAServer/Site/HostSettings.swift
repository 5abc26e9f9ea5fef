package import AppSiteAssociation

/// What `host.json` says about a host. Every member is optional; so is the file.
///
/// ```json
/// {
///   "aliases": ["www.example.com"],
///   "form": "auto",
///   "cacheControl": "max-age=3600",
///   "changePassword": "https://example.com/account/password",
///   "certificate": "example.com",
///   "types": { "nodeinfo": "application/json" },
///   "default": true,
///   "order": ["D3KQX62K1A", "9JA89QQLNQ"],
///   "strict": true
/// }
/// ```
package struct HostSettings: Sendable, Equatable {
    /// Other names with the same answers, each with its place for messages about conflicts.
    package var aliases: [Located<String>] = []
    package var form: AssociationForm = .json
    /// The `Cache-Control` of documents and siblings: an hour, what Apple's own CDN sends.
    package var cacheControl = "max-age=3600"
    /// Where `/.well-known/change-password` redirects to; nil: 404.
    package var changePassword: String?
    /// The folder under `--certs` whose certificate serves and signs for the host; nil: the folder
    /// with the host's name.
    package var certificate: String?
    /// Media types of siblings by path below `well-known/`.
    package var types: [String: String] = [:]
    /// Answers for unknown names. `--default-host` overrides it.
    package var isDefault = false
    /// Teams in the order of their parts in the document, which is their priority if several claim
    /// a URL; the others follow in alphabetical order. Each with its place.
    package var order: [Located<String>] = []
    /// Whether linter findings of severity `error` prevent publishing the document. False: only a
    /// document that no reader could parse is not published.
    package var isStrict = true
}

/// Reads `host.json` strictly: if a misspelt key were ignored silently, it would be found only when
/// it matters. All problems are collected.
package struct HostSettingsReader {
    let source: SourceText
    private(set) var settings = HostSettings()
    private(set) var problems: [Diagnostic] = []

    /// The settings, and what is wrong with them; errors among the problems mean that the settings
    /// must not be used.
    package static func read(_ source: SourceText) -> (HostSettings, [Diagnostic]) {
        do {
            let document = try JSONReader.read(source)
            var reader = HostSettingsReader(source: source)
            reader.read(document)
            return (reader.settings, reader.problems)
        } catch {
            return (HostSettings(), [error.diagnostic])
        }
    }

    private mutating func read(_ document: JSONDocument) {
        let root = document.root
        guard root.members != nil else {
            report(
                "host-not-an-object", "host.json holds \(root.kindName), not an object",
                root.range, remedy: "write { \"form\": \"json\" }, or delete the file")
            return
        }
        // Values of another type are reported here, and not read below.
        problems = HostSettings.format.problems(in: document)
        settings.form = root["form"]?.string.flatMap(AssociationForm.init) ?? settings.form
        settings.isDefault = root["default"]?.bool ?? settings.isDefault
        settings.isStrict = root["strict"]?.bool ?? settings.isStrict
        if let value = root["cacheControl"], let text = fieldValue("cacheControl", value) {
            settings.cacheControl = text
        }
        if let value = root["changePassword"] { readChangePassword(value) }
        if let value = root["certificate"], let name = value.string {
            if let problem = HostName.problem(of: name) {
                report(
                    "host-bad-certificate", problem.message, value.range,
                    remedy: "name the folder under --certs, such as example.com")
            } else {
                settings.certificate = name
            }
        }
        if let value = root["aliases"] { readAliases(value) }
        readOrder(root["order"]?.array ?? [])
        for member in root["types"]?.members ?? [] { readType(member) }
    }

    private mutating func readAliases(_ value: JSONValue) {
        let values = value.array ?? []
        if values.count > SiteLimits.aliasesMaximum {
            report(
                "host-too-many-aliases",
                "\(values.count) aliases; at most \(SiteLimits.aliasesMaximum)", value.range,
                remedy: "split them among several host folders")
            return
        }
        for value in values {
            guard let name = value.string else { continue }
            if let problem = HostName.problem(of: name) {
                report("host-bad-alias", problem.message, value.range, remedy: problem.remedy)
            } else {
                settings.aliases.append(Located(name, range: value.range))
            }
        }
    }

    private mutating func readOrder(_ values: [JSONValue]) {
        var known: Set<String> = []
        for value in values {
            guard let name = value.string else { continue }
            if known.insert(name).inserted {
                settings.order.append(Located(name, range: value.range))
            } else {
                report(
                    "host-team-twice", "team \(name) is listed twice in \"order\"", value.range,
                    remedy: "keep one of the two")
            }
        }
    }

    private mutating func readChangePassword(_ value: JSONValue) {
        guard let target = fieldValue("changePassword", value) else { return }
        let isURL = target.hasPrefix("https://") && target.utf8.count > "https://".utf8.count
        let isPath = target.hasPrefix("/") && !target.hasPrefix("//")
        let isItself = target.hasSuffix("/.well-known/change-password")
        if !(isURL || isPath) || target.contains(" ") || isItself {
            report(
                "host-bad-change-password", "\"\(target)\" is not a page to redirect to",
                value.range,
                remedy: "write the page where a password is changed: https://… or a path, /…")
        } else {
            settings.changePassword = target
        }
    }

    private mutating func readType(_ member: JSONMember) {
        guard let type = fieldValue(member.key, member.value) else { return }
        // RFC 9110 section 8.3.1: a type and a subtype, neither of them empty.
        let halves = type.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        if halves.count < 2 || halves.contains(where: \.isEmpty) {
            report(
                "host-bad-type", "\"\(type)\" is not a media type", member.value.range,
                remedy: "write one such as application/json")
        } else {
            settings.types[member.key] = type
        }
    }

    /// A string that is valid as a response field value (RFC 9110 section 5.5, visible ASCII and
    /// single spaces inside): with a line break it would become a second field.
    private mutating func fieldValue(_ key: String, _ value: JSONValue) -> String? {
        guard let text = value.string else { return nil }
        let isClean = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        if text.isEmpty || text.utf8.count > 2048 || !isClean || text.hasPrefix(" ")
            || text.hasSuffix(" ")
        {
            report(
                "host-bad-value", "a header cannot hold the value of \"\(key)\"", value.range,
                remedy: "use 1 to 2048 visible ASCII characters")
            return nil
        }
        return text
    }

    private mutating func report(
        _ code: String, _ message: String, _ range: Range<Int>, remedy: String
    ) {
        problems.append(
            Diagnostic(
                code: code, severity: .error, message: message, remedy: remedy, source: source,
                range: range))
    }
}
