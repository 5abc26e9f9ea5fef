/// An association file as the system reads it, with the place of everything.
///
/// Made from any JSON document; never fails. What does not have the shape that Apple documents is
/// left out, as the system leaves it out, and listed in ``problems``. Whether the content is wise
/// (catch-alls, unreachable rules, odd app IDs) is the linter's business, not this type's.
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
    /// Every other member of the root, in order: `authsrv`, and whatever is yet to come. Devices
    /// ignore what they do not know, so these are kept and written back.
    public let unknownServices: [JSONMember]
    /// Everything that does not have the documented shape, in document order, duplicate keys
    /// included.
    public let problems: [Diagnostic]
    /// How many more problems of a rule there are than ``problems`` lists (a hundred of each).
    let omittedProblems: [ShapeRule: Int]

    /// The largest document that devices read, in bytes, signed or not (since iOS 9.3.1).
    public static let bytesMaximum = 131_072

    /// The bytes it was read from.
    public var source: SourceText { document.source }

    /// The list of a service that is nothing but a list of apps.
    public func list(of service: AppList.Service) -> AppList? {
        switch service {
        case .activitycontinuation: activitycontinuation
        case .appclips: appclips
        case .webcredentials: webcredentials
        }
    }

    /// Makes a model of a document that was read before.
    public init(document: JSONDocument) {
        self.init(document: document, isForFixes: false)
    }

    /// - Parameter isForFixes: of the problems that ``Fixer`` mends, every one is listed.
    init(document: JSONDocument, isForFixes: Bool) {
        var shape = ShapeReader(source: document.source, isForFixes: isForFixes)
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

    /// Reads a source as an association file.
    /// - Throws: ``JSONError`` when it is not JSON; anything that is can be read.
    public init(reading source: SourceText) throws(JSONError) {
        self.init(document: try JSONReader.read(source))
    }
}

/// A value and the bytes it was written in, quotes included.
public struct Located<Value> {
    /// The value, unescaped.
    public let value: Value
    // Half the size of two Ints, see JSONValue: a document of 1,024 rules has some 5,000 of them.
    private let lower: UInt32
    private let upper: UInt32

    /// From the first byte to behind the last, quotes included.
    public var range: Range<Int> { Int(lower)..<Int(upper) }

    /// Puts a value and its bytes together.
    public init(_ value: Value, range: Range<Int>) {
        self.value = value
        lower = UInt32(truncatingIfNeeded: range.lowerBound)
        upper = UInt32(truncatingIfNeeded: range.upperBound)
    }
}

extension Located: Sendable where Value: Sendable {}
extension Located: Equatable where Value: Equatable {}
extension Located: Hashable where Value: Hashable {}

/// A service that is nothing but a list of apps: `{"apps": ["TEAM.bundle"]}`.
public struct AppList: Sendable {
    /// The services that are lists of apps and nothing else.
    public enum Service: String, Sendable, Hashable, CaseIterable {
        case activitycontinuation
        case appclips
        case webcredentials
    }

    /// Which service it is.
    public let service: Service
    /// The strings of `apps`, in order. Other entries are skipped by the system and reported as
    /// problems.
    public let apps: [Located<String>]
    /// The member `apps` itself; nil when it is missing.
    public let appsMember: JSONMember?
    /// Members other than `apps`.
    public let unknownMembers: [JSONMember]
    /// The key of the service, quotes included.
    public let keyRange: Range<Int>
    /// The value of the service.
    public let range: Range<Int>

    init(_ member: JSONMember, service: Service, _ shape: inout ShapeReader) {
        self.service = service
        keyRange = member.keyRange
        range = member.value.range
        var apps: JSONMember?
        var unknown: [JSONMember] = []
        for inner in shape.object(member.value, .serviceNotObject, service.rawValue) ?? [] {
            if inner.key == "apps" { apps = inner } else { unknown.append(inner) }
        }
        appsMember = apps
        self.apps = apps.map { shape.apps($0, in: service.rawValue) } ?? []
        unknownMembers = unknown
        if apps == nil, member.value.members != nil {
            shape.report(
                .appsMissing, member.value.range, "\(service.rawValue) has no \"apps\"",
                "write \"\(service.rawValue)\": {\"apps\": [\"ABCDE12345.com.example.app\"]}")
        }
    }
}
