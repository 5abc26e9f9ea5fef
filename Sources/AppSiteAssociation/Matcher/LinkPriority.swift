/// Which of several matching apps gets a URL, as far as known.
public struct LinkPriority: Sendable, Hashable {
    /// The first in the order of the document.
    public let app: String
    /// Whether Apple documents it: the order of `details` is the priority of the apps.
    public let isKnown: Bool
    /// The reason, or what is unknown, as one sentence without a full stop.
    public let reason: String
}

extension LinkPriority: CustomStringConvertible {
    /// One sentence without a full stop.
    public var description: String { "\(app): \(reason)" }
}

extension CompiledAssociation {
    /// The app that gets the URL according to these decisions; nil unless several match.
    public func priority(among decisions: [AppDecision]) -> LinkPriority? {
        let matching = decisions.filter { $0.decision == .match }.byEntry
        guard let first = matching.first, matching.count > 1 else { return nil }
        func priority(_ isKnown: Bool, _ reason: String) -> LinkPriority {
            LinkPriority(app: first.app, isKnown: isKnown, reason: reason)
        }
        if detailsForm == .dictionary {
            return priority(
                false,
                "not known: \"details\" is an object, and the members of an object have no order")
        }
        if matching.dropFirst().contains(where: { $0.rule?.detail == first.rule?.detail }) {
            return priority(
                false,
                "not known among apps of one entry: Apple documents the order of entries, not that "
                    + "of \"appIDs\"")
        }
        return priority(
            true,
            "its entry stands first, and the order of \"details\" is the priority (Apple, "
                + "applinks.Details)")
    }
}

extension [AppDecision] {
    /// In the order of the entries that decided, which is the priority of the apps: an app may have
    /// several, and the one that matches need not be its first.
    var byEntry: [AppDecision] {
        sorted { ($0.rule?.detail ?? 0) < ($1.rule?.detail ?? 0) }
    }
}
