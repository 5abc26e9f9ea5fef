import AppSiteAssociation
import OpenSSL

/// The watcher's summary of a document: enough to detect changes and lost apps. The document itself
/// may have 128 KB for each of many hosts.
package struct WatchedDocument: Sendable, Hashable {
    /// Of the meaning: white space, the order of members and the signed form are ignored.
    package let digest: String
    /// `SERVICE APP`, sorted.
    package let apps: [String]

    /// The largest document of a public crawl (Alexa's 100,000, 2020) lists 665; a host may send
    /// megabytes.
    static let appsMaximum = 4000
}

extension WatchedDocument {
    /// Nil if the bytes hold no document that a device could read.
    package init?(_ body: [UInt8]) {
        guard let file = DocumentComparison.document(body) else { return nil }
        let all = Set(
            AnswerEvaluator.services(in: file).flatMap { service in
                (AnswerEvaluator.apps(of: service, in: file) ?? []).map { "\(service) \($0)" }
            })
        apps = Array(all.sorted().prefix(Self.appsMaximum))
        digest = hexadecimal(sha256(JSONWriter.minified(file.document.root.sortedByKey)))
    }

    /// The differences to a newer one, in one sentence.
    package func difference(to new: WatchedDocument) -> String {
        let (before, after) = (Set(apps), Set(new.apps))
        let parts = [("new", after.subtracting(before)), ("gone", before.subtracting(after))]
            .filter { !$1.isEmpty }.map { "\($0): \(listed($1.sorted()))" }
        return parts.isEmpty ? "rules or settings of the same apps" : parts.joined(separator: "; ")
    }
}

extension JSONValue {
    /// The same value with sorted members in every object.
    fileprivate var sortedByKey: JSONValue {
        if let members {
            // Duplicates keep their written order: a sort is stable.
            let sorted = members.sorted { $0.key < $1.key }
            return .object(sorted.map { ($0.key, $0.value.sortedByKey) })
        }
        return array.map { .list($0.map(\.sortedByKey)) } ?? self
    }
}
