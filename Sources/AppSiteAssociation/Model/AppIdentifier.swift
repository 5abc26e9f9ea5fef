import Texts

/// An application identifier: `<application identifier prefix>.<bundle ID>`.
///
/// The prefix has ten characters of A–Z and 0–9 and is the team ID except for old apps; the bundle
/// ID has letters, digits, `-` and `.`. Compared as text: the file is (Apple, *Supporting
/// associated domains*).
public struct AppIdentifier: Sendable, Hashable {
    /// The application identifier prefix.
    public let prefix: String
    /// The part after the prefix, as shown by Xcode.
    public let bundleID: String

    /// The length of a prefix.
    public static let prefixCount = 10

    /// Nil if the text is not an app identifier; ``problem(in:)`` tells why.
    public init?(_ text: String) {
        if Self.problem(in: text) != nil { return nil }
        let dot = text.firstIndex(of: ".") ?? text.endIndex
        prefix = String(text[..<dot])
        bundleID = String(text[dot...].dropFirst())
    }
}

extension AppIdentifier: CustomStringConvertible {
    /// The form in a document: prefix, full stop, bundle ID.
    public var description: String { "\(prefix).\(bundleID)" }
}

extension AppIdentifier {
    /// Why a text is not an app identifier: the mistakes found in published files. Their texts are
    /// those of `app-id-problems.json`.
    public enum Problem: String, Sendable, CaseIterable {
        /// The text is empty.
        case empty
        /// White space, or a control or invisible character, at either end or inside.
        case blank
        /// `TEAMID.com.example`, `<TEAM_ID>.…`: certain placeholders. Placeholders like
        /// `ABCDE12345` cannot be distinguished from real prefixes.
        case placeholder
        /// `*` or `?`: the file does not support wildcards in bundle IDs.
        case wildcard
        /// Ten digits: the App Store's number of the app (or seller) instead of the prefix.
        case appStoreID
        /// No dot, or the first part is the beginning of a bundle ID, such as `com`.
        case prefixMissing
        /// A prefix of another length.
        case prefixLength
        /// Lower-case letters or other characters in the prefix.
        case prefixCharacters
        /// `D3KQX62K1A.D3KQX62K1A.com.example`: a template that adds the prefix to a whole ID.
        case prefixTwice
        /// Another sign than a full stop after a prefix: `D3KQX62K1A_com.example.app`.
        case separator
        /// Several identifiers in one string.
        case several
        /// Nothing after the prefix.
        case bundleIDMissing
        /// Something other than A–Z a–z 0–9 `-` `.` in the bundle ID.
        case bundleIDCharacters
        /// Two dots in a row, or a dot at the end.
        case bundleIDEmptyPart
        /// An identifier of something else: of a Firebase app, of a service or a scheme, of a group
        /// or a container, or of a company.
        case firebase, service, shared, company

        private static let texts: [Problem: (code: String, message: String, remedy: String)] = {
            let rows = Text.appIDProblems.json
            return Dictionary(
                uniqueKeysWithValues: allCases.map { problem in
                    let row = rows[problem.rawValue]
                    let texts = ["code", "message", "fix"].map { row?[$0]?.string ?? "" }
                    return (problem, (texts[0], texts[1], texts[2]))
                })
        }()

        /// The linter's code.
        public var code: String { Self.texts[self]?.code ?? "" }
        /// What is wrong, as one sentence without a full stop.
        public var message: String { Self.texts[self]?.message ?? "" }
        /// The remedy.
        public var remedy: String { Self.texts[self]?.remedy ?? "" }
    }

    /// The form as a regular expression, as schemas have it. ``problem(in:)`` also detects
    /// placeholders.
    static let expression = "^(?![0-9]{10}\\.)[A-Z0-9]{10}(\\.[A-Za-z0-9-]+)+$"

    /// Why the text is not an app identifier; nil if it is one.
    public static func problem(in text: String) -> Problem? {
        formProblem(text).map { somethingElse(text) ?? $0 }
    }

    private static func formProblem(_ text: String) -> Problem? {
        let bytes = text.utf8
        if bytes.isEmpty { return .empty }
        let isPlain = bytes.allSatisfy(isOfBundleID)
        if !isPlain, blank(in: text) != nil { return .blank }
        if !isPlain, bytes.contains(where: "*?".utf8.contains) { return .wildcard }
        let dot = bytes.firstIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
        let prefix = bytes[..<dot]
        if let problem = prefixProblem(prefix, hasBundleID: dot < bytes.endIndex) { return problem }
        let bundleID = bytes[dot...].dropFirst()
        if bundleID.isEmpty { return .bundleIDMissing }
        if !isPlain, !bundleID.allSatisfy(isOfBundleID) { return .bundleIDCharacters }
        var last = UInt8(ascii: ".")
        for byte in bundleID {
            if byte == UInt8(ascii: "."), last == byte { return .bundleIDEmptyPart }
            last = byte
        }
        if last == UInt8(ascii: ".") { return .bundleIDEmptyPart }
        if bundleID.starts(with: prefix), bundleID.dropFirst(prefixCount).first == UInt8(ascii: ".")
        {
            return .prefixTwice
        }
        return isUnset(Substring(bundleID)) ? .placeholder : nil
    }

    /// The first character that is blank or cannot be seen.
    static func blank(in text: String) -> Unicode.Scalar? {
        text.unicodeScalars.first {
            $0.isASCII
                ? $0.value <= 0x20 || $0.value == 0x7F
                : $0.properties.isWhitespace || $0.properties.generalCategory == .format
        }
    }

    /// What stands there in place of an identifier, if that is plain to see.
    private static func somethingElse(_ text: String) -> Problem? {
        guard text.utf8.count <= 256 else { return nil }
        if Placeholder.syntax(text) != nil { return .placeholder }
        let colons = text.split(separator: ":", omittingEmptySubsequences: false)
        if colons.count >= 4, colons[1].utf8.allSatisfy(\.isASCIIDigit),
            ["ios", "android", "web"].contains(colons[2])
        {
            return .firebase
        }
        if colons.count > 1, let head = colons.first, head.utf8.allSatisfy(\.isASCIILetter) {
            return .service
        }
        let head = text.prefix { $0 != "." }.lowercased()
        if AssociationFormat.services.contains(head) { return .service }
        if ["group", "icloud", "merchant"].contains(head) { return .shared }
        if isUnset(head[...]) { return .placeholder }
        let names = text.split { " ,;".contains($0) }
        if names.count > 1, names.allSatisfy({ formProblem(String($0)) == nil }) {
            return .several
        }
        let rest = text.dropFirst(prefixCount)
        if isPrefix(String(text.prefix(prefixCount))), let sign = rest.first,
            "_-:/ ".contains(sign),
            rest.dropFirst().first != ".", rest.contains(".")
        {
            return .separator
        }
        let parts = text.split { " -–—()/,".contains($0) }
        let hasName =
            parts.count > 1 && parts.first.map { !isPrefix(String($0.prefix(prefixCount))) } == true
        return hasName && parts.dropFirst().contains { isPrefix(String($0.prefix { $0 != "." })) }
            ? .company : nil
    }

    /// What programs write for a value that is not set.
    private static func isUnset(_ text: Substring) -> Bool {
        ["null", "undefined", "none", "nil"].contains(text)
    }

    /// Whether the text has the form of a prefix (or team ID): ten characters of A–Z and 0–9.
    public static func isPrefix(_ text: String) -> Bool {
        text.utf8.count == prefixCount && text.utf8.allSatisfy(isOfPrefix)
    }

    private static func prefixProblem(
        _ prefix: Substring.UTF8View, hasBundleID: Bool
    ) -> Problem? {
        let isUpperOrDigit = prefix.allSatisfy(isOfPrefix)
        if isUpperOrDigit, prefix.count == prefixCount {
            if prefix.allSatisfy(\.isASCIIDigit) { return .appStoreID }
            return hasBundleID ? nil : .bundleIDMissing
        }
        if isStandIn(prefix) { return .placeholder }
        if !hasBundleID { return .prefixMissing }
        // Bundle IDs are reverse DNS names: they begin with a short word in lower case.
        let isLower = prefix.allSatisfy { $0.isASCIILetter && !$0.isASCIIUppercase }
        if prefix.count < prefixCount, isLower { return .prefixMissing }
        return isUpperOrDigit || Substring(prefix).count != prefixCount
            ? .prefixLength : .prefixCharacters
    }

    /// Words of templates; checks only the beginning of long texts.
    private static func isStandIn(_ prefix: Substring.UTF8View) -> Bool {
        let letters = String(decoding: prefix.prefix(64), as: UTF8.self).lowercased().filter {
            $0.isASCII && ($0.isLetter || $0.isNumber)
        }
        return words.contains { letters.contains($0) }
    }

    private static let words = [
        "team", "prefix", "appid", "yourapp", "placeholder", "xxxx", "bundle",
    ]

    private static func isOfPrefix(_ byte: UInt8) -> Bool {
        byte.isASCIIUppercase || byte.isASCIIDigit
    }

    private static func isOfBundleID(_ byte: UInt8) -> Bool {
        byte.isSchemeCharacter && byte != UInt8(ascii: "+")
    }
}
