import OpenSSL
import Texts

/// The ClientHello of each era, as Safari of its time sent it: that the association daemon shares
/// the system's TLS is an inference. A test compares them with the recorded ones
/// (`Tests/TestSupport/Hellos.swift`), and names what is not simulated.
extension TLSOffer {
    /// The part of `hellos.txt` about a system: fields with words; the first two lines are for
    /// people.
    ///
    /// The versions are the oldest and the newest, by their wire numbers. What is missing is not
    /// offered.
    init(system: String) {
        self.init()
        let parts = Text.systemHellos.string.split(separator: "# ")
        let part = parts.first { $0.hasPrefix(system + "\n") } ?? ""
        var fields: [Substring: [Substring]] = [:]
        var name: Substring = ""
        for word in part.split(whereSeparator: \.isWhitespace) {
            if word.hasSuffix(":") {
                name = word.dropLast()
            } else {
                fields[name, default: []].append(word)
            }
        }
        let versions = (fields["versions"] ?? []).compactMap { UInt16($0, radix: 16) }
        minimumVersion = TLSVersion(rawValue: versions.first ?? TLSVersion.tls12.rawValue)
        maximumVersion = TLSVersion(rawValue: versions.last ?? TLSVersion.tls13.rawValue)
        cipherList = fields["ciphers"]?.joined(separator: ":")
        cipherSuites = fields["suites"]?.joined(separator: ":")
        groups = fields["groups"]?.joined(separator: ":")
        signatureAlgorithms = fields["signatures"]?.joined(separator: ":")
        protocols = (fields["protocols"] ?? []).compactMap { .init(rawValue: String($0)) }
        isHybrid = fields["hybrid"] != nil
    }
}
