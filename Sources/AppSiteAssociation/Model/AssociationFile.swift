/// An association file as the system interprets it, with the places of all parts.
///
/// Created from any JSON document; never fails. Parts without the documented structure are ignored,
/// as by the system, and listed in ``problems``. The linter checks whether the content makes sense
/// (catch-alls, unreachable rules, odd app IDs).
///
/// Apple: *Supporting associated domains*, *applinks*, *applinks.Details*, *Components*.
public struct AssociationFile: Sendable {
    /// The document, with the place of every value.
    public let document: JSONDocument
    /// `applinks`: universal links.
    public let applinks: AppLinks?
    /// The services that are plain lists of apps.
    private let lists: [AssociationService: AppList]
    /// Every other member of the root, in order: `authsrv`, and future ones. Devices ignore unknown
    /// members, so these are kept and written back.
    public let unknownServices: [JSONMember]

    /// The largest document that devices read, in bytes, signed or not (since iOS 9.3.1).
    public static let bytesMaximum = 131_072

    /// The source of the document.
    public var source: SourceText { document.source }

    /// The list of a service that is a plain list of apps; nil for `applinks`.
    public func list(of service: AssociationService) -> AppList? { lists[service] }

    /// The lists of apps, in Apple's order.
    public var appLists: [AppList] { AssociationService.allCases.compactMap { lists[$0] } }

    /// Everything without the documented structure, in document order, including duplicate keys; at
    /// most a hundred of each code.
    public var problems: [Diagnostic] {
        AssociationFormat.format.problems(in: document).filter {
            RuleCatalog.shape.contains($0.code)
        }
    }

    /// Creates a model of a parsed document.
    public init(document: JSONDocument) {
        self.document = document
        var lists: [AssociationService: AppList] = [:]
        var applinks: AppLinks?
        var unknown: [JSONMember] = []
        for member in document.root.members ?? [] {
            switch AssociationService(rawValue: member.key) {
            case .applinks: applinks = AppLinks(member)
            case let service?: lists[service] = AppList(member, service)
            case nil: unknown.append(member)
            }
        }
        self.applinks = applinks
        self.lists = lists
        unknownServices = unknown
    }

    /// Parses a source as an association file.
    /// - Throws: ``JSONError`` if it is not JSON; any JSON is accepted.
    public init(reading source: SourceText) throws(JSONError) {
        self.init(document: try JSONReader.read(source))
    }
}

/// The services that Apple documents, in Apple's order. All but `applinks` are lists of apps.
public enum AssociationService: String, Sendable, Hashable, CaseIterable {
    case applinks
    case webcredentials
    case appclips
    case activitycontinuation
}

/// A service that is a plain list of apps: `{"apps": ["TEAM.bundle"]}`.
public struct AppList: Sendable {
    /// The service.
    public let service: AssociationService
    /// The strings of `apps`, in order. The system skips other elements; they are reported as
    /// problems.
    public let apps: [Located<String>]
    /// Members other than `apps`.
    public let unknownMembers: [JSONMember]

    init(_ member: JSONMember, _ service: AssociationService) {
        self.service = service
        let members = member.value.members ?? []
        apps = members.last("apps")?.value.texts ?? []
        unknownMembers = members.filter { $0.key != "apps" }
    }
}
