import AASAServer
import AppSiteAssociation

/// The apps of a host, for `aasa app list`.
struct AppListing {
    struct Row {
        let app: String
        var services: [String]
        /// Rules of universal links that concern the app.
        var rules: Int
        let file: String
        /// The rules themselves, where they were asked for.
        var ruleList: [AppRule] = []
    }

    private(set) var rows: [Row] = []
    /// Files that could not be read; the others are listed all the same.
    private(set) var problems: [CommandError] = []
    private let showsRules: Bool

    /// - Parameter bundle: only apps with this bundle identifier.
    init(_ host: HostInput, bundle: String? = nil, showsRules: Bool = false) {
        self.showsRules = showsRules
        let found = host.source.problems
        for problem in found.settings + found.document where problem.severity == .error {
            problems.append(
                CommandError(problem.message, place: problem.file, remedy: problem.remedy))
        }
        for source in host.sources {
            do {
                add(try AssociationFile(reading: source), bundle)
            } catch {
                problems.append(CommandError(error.diagnostic, in: source.name))
            }
        }
    }

    private mutating func add(_ file: AssociationFile, _ bundle: String?) {
        var places: [String: Int] = [:]
        func note(_ app: String, _ service: String) -> Int? {
            if let bundle, app.drop(while: { $0 != "." }).dropFirst() != bundle { return nil }
            let index = places[app] ?? rows.count
            if index == rows.count {
                rows.append(Row(app: app, services: [], rules: 0, file: file.source.name))
                places[app] = index
            }
            if !rows[index].services.contains(service) { rows[index].services.append(service) }
            return index
        }
        for detail in file.applinks?.details ?? [] {
            for app in detail.appIDs {
                guard let index = note(app.value, "applinks") else { continue }
                rows[index].rules += detail.components?.count ?? detail.paths?.count ?? 0
            }
        }
        for service in [AppList.Service.webcredentials, .appclips, .activitycontinuation] {
            for app in file.list(of: service)?.apps ?? [] {
                _ = note(app.value, service.rawValue)
            }
        }
        guard showsRules else { return }
        let editor = FragmentEditor(file.document)
        for (app, index) in places { rows[index].ruleList = editor.rules(of: app) }
    }

    /// One line per app: `ID  services  file`; below it its rules, where they were asked for.
    var text: String {
        let widthOfApps = rows.map(\.app.count).max() ?? 0
        let services = rows.map { row in
            row.services.map { service in
                service == "applinks"
                    ? "applinks (\(row.rules) \(row.rules == 1 ? "rule" : "rules"))" : service
            }.joined(separator: ", ")
        }
        let widthOfServices = services.map(\.count).max() ?? 0
        return zip(rows, services).map { row, services in
            let head =
                row.app.padded(to: widthOfApps) + "  " + services.padded(to: widthOfServices) + "  "
                + row.file
            let width = String(row.ruleList.count).count
            let rules = row.ruleList.map { rule in
                let number = String(rule.number)
                let blanks = String(repeating: " ", count: width - number.count)
                let label = rule.isPath ? rule.label : (rule.excludes ? "NOT " : "") + rule.label
                return "  \(blanks)\(number)  \(label)"
                    + (rule.sharedWith.isEmpty
                        ? "" : "  (shared with \(rule.sharedWith.joined(separator: ", ")))")
            }
            return InertText.joined([head] + rules)
        }.joined(separator: "\n")
    }

    /// `[{"app": …, "prefix": …, "bundle": …, "services": […], "rules": …, "file": …}]`
    var json: [UInt8] {
        JSONWriter.indented(
            .list(
                rows.map { row in
                    let identifier = AppIdentifier(row.app)
                    var members: [(String, JSONValue)] = [
                        ("app", .text(row.app)), ("prefix", .text(identifier?.prefix)),
                        ("bundle", .text(identifier?.bundleID)),
                        ("services", .list(row.services.map { JSONValue.text($0) })),
                        ("rules", .integer(row.rules)), ("file", .text(row.file)),
                    ]
                    if showsRules {
                        members.append(("ruleList", .list(row.ruleList.map(Self.json))))
                    }
                    return .object(members)
                }))
    }

    private static func json(_ rule: AppRule) -> JSONValue {
        .object([
            ("number", .integer(rule.number)), ("label", .text(rule.label)),
            ("excludes", .flag(rule.excludes)),
            ("sharedWith", .list(rule.sharedWith.map { JSONValue.text($0) })),
        ])
    }
}
