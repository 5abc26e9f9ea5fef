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
    }

    private(set) var rows: [Row] = []

    /// - Throws: where a file is no association file.
    init(_ host: HostInput) throws(CommandError) {
        let problems = host.source.problems
        if let problem = (problems.settings + problems.document).first(where: {
            $0.severity == .error
        }) {
            throw CommandError(problem.message, place: problem.file, remedy: problem.remedy)
        }
        let sources: [SourceText] =
            switch host.source.document {
            case .fragments(let sources): sources
            case .readyMade(let source): [source]
            case .none: []
            }
        for source in sources {
            do {
                add(try AssociationFile(reading: source))
            } catch {
                throw CommandError(
                    error.message, place: "\(source.name):\(error.position)", remedy: error.remedy)
            }
        }
    }

    private mutating func add(_ file: AssociationFile) {
        let first = rows.count
        func place(_ app: String) -> Int {
            if let index = rows[first...].firstIndex(where: { $0.app == app }) { return index }
            rows.append(Row(app: app, services: [], rules: 0, file: file.source.name))
            return rows.count - 1
        }
        func note(_ app: String, _ service: String) -> Int {
            let index = place(app)
            if !rows[index].services.contains(service) { rows[index].services.append(service) }
            return index
        }
        for detail in file.applinks?.details ?? [] {
            for app in detail.appIDs {
                let index = note(app.value, "applinks")
                rows[index].rules += detail.components?.count ?? detail.paths?.count ?? 0
            }
        }
        for service in [AppList.Service.webcredentials, .appclips, .activitycontinuation] {
            for app in file.list(of: service)?.apps ?? [] {
                _ = note(app.value, service.rawValue)
            }
        }
    }

    /// One line per app: `ID  services  file`.
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
            row.app.padded(to: widthOfApps) + "  " + services.padded(to: widthOfServices) + "  "
                + row.file
        }.joined(separator: "\n")
    }

    /// `[{"app": …, "services": […], "rules": …, "file": …}]`
    var json: [UInt8] {
        JSONWriter.indented(
            .list(
                rows.map { row in
                    .object([
                        ("app", .text(row.app)),
                        ("services", .list(row.services.map { JSONValue.text($0) })),
                        ("rules", .integer(row.rules)), ("file", .text(row.file)),
                    ])
                }))
    }
}
