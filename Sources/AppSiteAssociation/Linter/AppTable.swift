/// The apps in the documents of each host, for checking entitlements: built once, when the first
/// entitlement needs it.
struct AppTable {
    /// The names of a host's documents, by host.
    private var sources: [String: [String]] = [:]
    /// The apps by host and service.
    private var apps: [String: [String: Set<String>]] = [:]

    init(_ files: [LintFile]) {
        guard files.contains(where: { $0.kind == .entitlements }) else { return }
        for file in files {
            guard let host = file.host, case .success(let document)? = file.association else {
                continue
            }
            sources[host, default: []].append(file.source.name)
            func add(_ service: String, _ list: [Located<String>]) {
                apps[host, default: [:]][service, default: []].formUnion(list.map(\.value))
            }
            for detail in document.applinks?.details ?? [] { add("applinks", detail.appIDs) }
            for list in document.appLists { add(list.service.rawValue, list.apps) }
        }
    }

    /// The names of a host's documents; empty if there are none.
    func documents(of host: String) -> [String] { sources[host.lowercased()] ?? [] }

    /// All apps that a host's documents name.
    func apps(of host: String) -> [String] {
        (apps[host.lowercased()] ?? [:]).values.joined().sorted()
    }

    func names(_ app: String, under service: String, of host: String) -> Bool {
        apps[host.lowercased()]?[service]?.contains(app) ?? false
    }
}
