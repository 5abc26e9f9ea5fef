package import AppSiteAssociation
import OpenSSL

/// One certificate that we keep alive: a folder of `certs/`, and the kind of its key.
package struct LineageID: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let folder: String
    package let isRSA: Bool
    /// A number that stays the same for the same certificate on every machine and after every
    /// start: what spreads renewals. FNV-1a.
    package let spread: UInt64

    package init(folder: String, isRSA: Bool = false) {
        self.folder = folder
        self.isRSA = isRSA
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in (isRSA ? "\(folder) (RSA)" : folder).utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        spread = hash
    }

    package static func < (a: Self, b: Self) -> Bool {
        (a.folder, a.isRSA ? 1 : 0) < (b.folder, b.isRSA ? 1 : 0)
    }

    package var description: String { isRSA ? "\(folder) (RSA)" : folder }
}

/// What the store remembers of a certificate beside the certificate itself: the order under way,
/// what failed, when to try again. Survives restarts, so that back-off does.
package struct CertificateRecord: Sendable {
    package let id: LineageID
    package var order: OrderState?
    /// Failures since the last success.
    package var failures = 0
    /// Where in the list of directories: every third failure goes on to the next.
    package var directoryFailures = 0
    /// Validations that failed, which turns the kind of challenge.
    package var challengeTurn = 0
    /// Seconds since 1970; not before then.
    package var nextTry: Int64 = 0
    package var lastError: String?
    package var lastRemedy: String?
    package var lastErrorAt: Int64 = 0
    /// The last failure was a setting's: a restart is the remedy.
    package var needsSetting = false
    /// Name → orders in a row that failed for it.
    package var failingNames: [String: Int] = [:]
    /// The directory that the certificate is from.
    package var issuer: String?
    package var window: RenewalInfo?
    /// When the authority is asked for the window again.
    package var windowAskAt: Int64 = 0
    /// The certificate that the window is for (RFC 9773 section 4.1).
    package var windowOf: String?

    package init(id: LineageID) { self.id = id }

    package var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("folder", .text(id.folder)), ("isRSA", .flag(id.isRSA)),
            ("failures", .integer(failures)),
            ("directoryFailures", .integer(directoryFailures)),
            ("challengeTurn", .integer(challengeTurn)),
            ("nextTry", .integer(Int(nextTry))), ("lastError", .text(lastError)),
            ("lastRemedy", .text(lastRemedy)), ("lastErrorAt", .integer(Int(lastErrorAt))),
            ("needsSetting", .flag(needsSetting)),
            (
                "failingNames",
                .object(
                    failingNames.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) })
            ),
            ("issuer", .text(issuer)), ("windowAskAt", .integer(Int(windowAskAt))),
            ("windowOf", .text(windowOf)),
        ]
        if let window {
            members.append(
                (
                    "window",
                    .object([
                        ("start", .integer(Int(window.start))),
                        ("end", .integer(Int(window.end))),
                        ("explanation", .text(window.explanation)),
                    ])
                ))
        }
        if let order { members.append(("order", order.json)) }
        return .object(members)
    }

    /// - Throws: ``MalformedAnswer`` or ``OpenSSLError``.
    package init(_ value: JSONValue, name: String) throws {
        guard let folder = value["folder"]?.string else {
            throw MalformedAnswer("\(name) is not a record: \"folder\" is missing")
        }
        id = LineageID(folder: folder, isRSA: value["isRSA"]?.bool ?? false)
        func number(_ key: String) -> Int64 { value[key]?.integer ?? 0 }
        failures = Int(clamping: max(0, number("failures")))
        directoryFailures = Int(clamping: max(0, number("directoryFailures")))
        challengeTurn = Int(clamping: max(0, number("challengeTurn")))
        nextTry = number("nextTry")
        lastError = value["lastError"]?.string
        lastRemedy = value["lastRemedy"]?.string
        lastErrorAt = number("lastErrorAt")
        needsSetting = value["needsSetting"]?.bool ?? false
        for member in value["failingNames"]?.members ?? [] {
            failingNames[member.key] = member.value.integer.map { Int(clamping: $0) }
        }
        issuer = value["issuer"]?.string
        windowAskAt = number("windowAskAt")
        windowOf = value["windowOf"]?.string
        if let window = value["window"], let start = window["start"]?.integer,
            let end = window["end"]?.integer
        {
            self.window = RenewalInfo(
                start: start, end: end, explanation: window["explanation"]?.string)
        }
        if let order = value["order"], order.members != nil {
            self.order = try OrderState(order, name: name)
        }
    }
}
