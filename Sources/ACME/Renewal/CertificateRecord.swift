package import AppSiteAssociation
import OpenSSL

/// Identifies a managed certificate: a folder of `certs/`, and the key type.
package struct LineageID: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let folder: String
    package let isRSA: Bool
    /// A hash of the certificate's name that is the same on every machine and after every start: it
    /// spreads renewals over time. FNV-1a.
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

/// The stored state of a certificate besides the certificate itself: the order under way, failures,
/// the time of the next try. It survives restarts, and with it the back-off.
package struct CertificateRecord: Sendable {
    package let id: LineageID
    package var order: OrderState?
    /// Consecutive failures.
    package var failures = 0
    /// Failures that select the directory: every third failure switches to the next.
    package var directoryFailures = 0
    /// The earliest time of the next try, in seconds since 1970.
    package var nextTry: Int64 = 0
    package var lastError: String?
    package var lastRemedy: String?
    package var lastErrorAt: Int64 = 0
    /// Whether the last failure was caused by a setting: only a restart helps.
    package var needsSetting = false
    /// Name → consecutive orders that failed because of it.
    package var failingNames: [String: Int] = [:]
    /// The directory of the authority that issued the certificate.
    package var issuer: String?
    package var window: RenewalInfo?
    /// When to request the window again.
    package var windowAskAt: Int64 = 0
    /// The certificate of the window (RFC 9773 section 4.1).
    package var windowOf: String?

    package init(id: LineageID) { self.id = id }

    /// More than failures can be in a century of one every hour: each counts as an hour
    /// (``RenewalEngine``), and what a damaged record says must not overflow.
    private static let countMaximum: Int64 = 1_000_000

    package var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("folder", .text(id.folder)), ("isRSA", .flag(id.isRSA)),
            ("failures", .integer(failures)),
            ("directoryFailures", .integer(directoryFailures)),
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

    /// - Throws: ``InvalidResponse`` or ``OpenSSLError``.
    package init(_ value: JSONValue, name: String) throws {
        guard let folder = value["folder"]?.string else {
            throw InvalidResponse("\(name) is not a record: \"folder\" is missing")
        }
        id = LineageID(folder: folder, isRSA: value["isRSA"]?.bool ?? false)
        func number(_ key: String) -> Int64 { value[key]?.integer ?? 0 }
        func count(_ key: String) -> Int { Int(min(max(0, number(key)), Self.countMaximum)) }
        failures = count("failures")
        directoryFailures = count("directoryFailures")
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
            let end = window["end"]?.integer, start < end
        {
            self.window = RenewalInfo(
                start: start, end: end, explanation: window["explanation"]?.string)
        }
        if let order = value["order"], order.members != nil {
            self.order = try OrderState(order, name: name)
        }
    }
}
