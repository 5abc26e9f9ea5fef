import AASAServer
import AppSiteAssociation

/// The apps of a host, for `aasa app list`.
///
/// Apps share entries, and two thousand apps of an entry with two thousand rules would be four
/// million lines: as in ``TraceText``, beyond a bound an entry that was shown is not shown again.
struct AppListing {
    /// An entry of universal links as an app has it.
    struct Entry {
        let entry: RuleEntry
        let place: String
        /// The number of its first rule among the app's, from 1.
        let first: Int
        /// The app under which the entry is shown; nil: here.
        let shownUnder: String?
        /// The other apps that share it, as far as they are named.
        let others: [String]

        /// How many others are not named.
        var more: Int { entry.apps.count - 1 - others.count }
    }

    struct Row {
        let app: String
        var services: [String]
        /// Rules of universal links that concern the app.
        var rules: Int
        let file: String
        /// The rules themselves, where they were asked for.
        var entries: [Entry] = []
    }

    /// Maximum of lines and names that are printed again for a further app or rule.
    private static let repeatsMaximum = 1000
    /// The others of an entry that are named in any case.
    private static let othersMinimum = 3

    private(set) var rows: [Row] = []
    /// Files that could not be read. The others are still listed.
    private(set) var problems: [CommandError] = []
    private let showsRules: Bool
    private var repeats = 0

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
                problems.append(CommandError(error.diagnostic))
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
        for list in file.appLists {
            for app in list.apps { _ = note(app.value, list.service.rawValue) }
        }
        guard showsRules else { return }
        for entry in file.ruleEntries {
            let place = SourcePlace(source: file.source, range: entry.range).text
            var shown: String?
            for app in entry.apps {
                guard let index = places[app] else { continue }
                let first = rows[index].entries.last.map { $0.first + $0.entry.rules.count } ?? 1
                let others = entry.apps.count - 1
                let cost = (others + (shown == nil ? 0 : 1)) * entry.rules.count
                let isWhole = repeats + cost <= Self.repeatsMaximum
                if isWhole { repeats += cost }
                let named = entry.apps.lazy.filter { $0 != app }
                    .prefix(isWhole ? others : Self.othersMinimum)
                rows[index].entries.append(
                    Entry(
                        entry: entry, place: place, first: first,
                        shownUnder: isWhole ? nil : shown, others: Array(named)))
                shown = shown ?? app
            }
        }
    }

    /// One line per app: `ID  services  file`; below it its rules, where they were asked for.
    var text: String {
        let services = rows.map { row in
            row.services.map { service in
                service == "applinks"
                    ? "applinks (\(counted(row.rules, "rule")))" : service
            }.joined(separator: ", ")
        }
        let heads = TextTable.lines(zip(rows, services).map { [$0.app, $1, $0.file] })
        return zip(rows, heads).map { row, head in
            let count = row.entries.last.map { $0.first + $0.entry.rules.count - 1 } ?? 0
            let rules = row.entries.flatMap { lines($0, width: String(count).count) }
            return InertText.joined([head] + rules)
        }.joined(separator: "\n")
    }

    /// `[{"app": …, "prefix": …, "bundle": …, "services": […], "rules": …, "file": …}]`
    var json: JSONValue {
        .list(
            rows.map { row in
                let identifier = AppIdentifier(row.app)
                let rules = row.entries.flatMap { json($0) }
                return .object(known: [
                    ("app", .text(row.app)), ("prefix", .text(identifier?.prefix)),
                    ("bundle", .text(identifier?.bundleID)),
                    ("services", .list(row.services.map { JSONValue.text($0) })),
                    ("rules", .integer(row.rules)), ("file", .text(row.file)),
                    ("ruleList", showsRules ? .list(rules) : nil),
                ])
            })
    }

    private func lines(_ own: Entry, width: Int) -> [String] {
        let rules = own.entry.rules
        if let first = own.shownUnder {
            return ["  as for \(first): \(own.place), \(counted(rules.count, "rule"))"]
        }
        let shared =
            own.others.isEmpty
            ? ""
            : "  (shared with \(own.others.joined(separator: ", "))"
                + (own.more == 0 ? ")" : " and \(own.more) more)")
        return rules.enumerated().map { offset, rule in
            let number = String(own.first + offset)
            let label = rule.isPath ? rule.label : (rule.excludes ? "NOT " : "") + rule.label
            return " \(number.padded(toRight: width + 1))  \(label)" + shared
        }
    }

    private func json(_ own: Entry) -> [JSONValue] {
        let rules = own.entry.rules
        if let first = own.shownUnder {
            return [
                .object([
                    ("number", .integer(own.first)), ("sameAs", .text(first)),
                    ("place", .text(own.place)), ("rules", .integer(rules.count)),
                ])
            ]
        }
        let names = JSONValue.list(own.others.map { JSONValue.text($0) })
        return rules.enumerated().map { offset, rule in
            .object(known: [
                ("number", .integer(own.first + offset)), ("label", .text(rule.label)),
                ("excludes", .flag(rule.excludes)), ("sharedWith", names),
                ("sharedWithMore", own.more > 0 ? .integer(own.more) : nil),
            ])
        }
    }
}
