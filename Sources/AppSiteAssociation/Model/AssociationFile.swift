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
    /// `webcredentials`: shared passwords and passkeys.
    public let webcredentials: AppList?
    /// `appclips`: App Clips.
    public let appclips: AppList?
    /// `activitycontinuation`: Handoff.
    public let activitycontinuation: AppList?
    /// Every other member of the root, in order: `authsrv`, and future ones. Devices ignore unknown
    /// members, so these are kept and written back.
    public let unknownServices: [JSONMember]
    /// Everything without the documented structure, in document order, including duplicate keys.
    public let problems: [Diagnostic]
    /// How many more problems of a rule there are than listed in ``problems`` (a hundred of each).
    let omittedProblems: [ShapeRule: Int]

    /// The largest document that devices read, in bytes, signed or not (since iOS 9.3.1).
    public static let bytesMaximum = 131_072

    /// The source of the document.
    public var source: SourceText { document.source }

    /// The list of a service that is a plain list of apps.
    public func list(of service: AppList.Service) -> AppList? {
        switch service {
        case .activitycontinuation: activitycontinuation
        case .appclips: appclips
        case .webcredentials: webcredentials
        }
    }

    /// Creates a model of a parsed document.
    public init(document: JSONDocument) {
        var shape = ShapeReader(source: document.source)
        for duplicate in document.duplicateKeys { shape.duplicate(duplicate) }

        var services: [AppList.Service: AppList] = [:]
        var applinks: AppLinks?
        var unknown: [JSONMember] = []
        if let members = shape.object(document.root, .rootNotObject, "an association file") {
            for member in members {
                // "applinks" and "appclips" are the shortest.
                if member.key.utf8.count < 8 {
                    unknown.append(member)
                } else if member.key == "applinks" {
                    applinks = AppLinks(member, &shape)
                } else if let service = AppList.Service(rawValue: member.key) {
                    services[service] = AppList(member, service: service, &shape)
                } else {
                    unknown.append(member)
                }
            }
        }
        self.document = document
        self.applinks = applinks
        webcredentials = services[.webcredentials]
        appclips = services[.appclips]
        activitycontinuation = services[.activitycontinuation]
        unknownServices = unknown
        problems = shape.sortedProblems()
        omittedProblems = shape.omitted
    }

    /// Parses a source as an association file.
    /// - Throws: ``JSONError`` if it is not JSON; any JSON is accepted.
    public init(reading source: SourceText) throws(JSONError) {
        self.init(document: try JSONReader.read(source))
    }
}

/// A value and its bytes, including quotes.
public struct Located<Value> {
    /// The value, unescaped.
    public let value: Value
    // Half the size of two Ints, see JSONValue: a document of 1,024 rules has some 5,000 of them.
    private let lower: UInt32
    private let upper: UInt32

    /// From the first byte to after the last, including quotes.
    public var range: Range<Int> { Int(lower)..<Int(upper) }

    /// Creates a value with its place.
    public init(_ value: Value, range: Range<Int>) {
        self.value = value
        lower = UInt32(truncatingIfNeeded: range.lowerBound)
        upper = UInt32(truncatingIfNeeded: range.upperBound)
    }
}

extension Located: Sendable where Value: Sendable {}
extension Located: Equatable where Value: Equatable {}
extension Located: Hashable where Value: Hashable {}

/// A service that is a plain list of apps: `{"apps": ["TEAM.bundle"]}`.
public struct AppList: Sendable {
    /// The services that are plain lists of apps.
    public enum Service: String, Sendable, Hashable, CaseIterable {
        case activitycontinuation
        case appclips
        case webcredentials
    }

    /// The service.
    public let service: Service
    /// The strings of `apps`, in order. The system skips other elements; they are reported as
    /// problems.
    public let apps: [Located<String>]
    /// The member `apps` itself; nil when it is missing.
    public let appsMember: JSONMember?
    /// Members other than `apps`.
    public let unknownMembers: [JSONMember]
    /// The key of the service, including quotes.
    public let keyRange: Range<Int>
    /// The value of the service.
    public let range: Range<Int>

    init(_ member: JSONMember, service: Service, _ shape: inout ShapeReader) {
        self.service = service
        keyRange = member.keyRange
        range = member.value.range
        var apps: JSONMember?
        var unknown: [JSONMember] = []
        let isNothing = member.value.isNothing
        for inner in isNothing
            ? [] : shape.object(member.value, .serviceNotObject, service.rawValue) ?? []
        {
            if inner.key == "apps" { apps = inner } else { unknown.append(inner) }
        }
        appsMember = apps
        self.apps = apps.map { shape.apps($0, in: service.rawValue) } ?? []
        unknownMembers = unknown
        if apps == nil, isNothing || member.value.members != nil {
            shape.report(
                .appsMissing, member.value.range, "\(service.rawValue) has no \"apps\"",
                "remove \(service.rawValue), or list its apps in \"apps\"")
        }
    }
}
