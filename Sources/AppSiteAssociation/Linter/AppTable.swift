/// The apps in the documents of each host, for checking entitlements: built once, when the first
/// entitlement needs it.
struct AppTable {
    private struct Key: Hashable {
        let host: String
        let service: String
    }

    /// The names of a host's documents, by host.
    private var sources: [String: [String]] = [:]
    private var apps: [Key: Set<String>] = [:]

    init(_ files: [LintFile]) {
        guard files.contains(where: { $0.kind == .entitlements }) else { return }
        for file in files {
            guard let host = file.host, case .success(let document)? = file.association else {
                continue
            }
            sources[host, default: []].append(file.source.name)
            func add(_ service: String, _ list: [Located<String>]) {
                for app in list {
                    apps[Key(host: host, service: service), default: []].insert(app.value)
                }
            }
            for detail in document.applinks?.details ?? [] { add("applinks", detail.appIDs) }
            for list in document.appLists { add(list.service.rawValue, list.apps) }
        }
    }

    /// The names of a host's documents; empty if there are none.
    func documents(of host: String) -> [String] { sources[host.lowercased()] ?? [] }

    /// All apps that a host's documents name.
    func apps(of host: String) -> [String] {
        apps.filter { $0.key.host == host.lowercased() }.flatMap(\.value).sorted()
    }

    func names(_ app: String, under service: String, of host: String) -> Bool {
        apps[Key(host: host.lowercased(), service: service)]?.contains(app) ?? false
    }
}
