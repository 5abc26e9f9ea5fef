package import AppSiteAssociation

/// The meaning of an entitlement entry to a device of an era, before any request.
package enum EntryRules {
    /// Apple's older documentation: "about 20 to 30"; every distinct domain is one download.
    package static let manyEntries = 30

    /// Why the device does not ask at all; nil if it does.
    package static func obstacle(_ entry: EntitlementEntry, _ era: Era) -> String? {
        if let problem = entry.problems.first(where: { $0.severity == .error && $0 != .portOfLinks }
        ) {
            return "the entry is not valid. \(problem.message). \(problem.remedy)"
        }
        if entry.isAnyDomain {
            return
                "\"\(entry.service):*\" is filled in by device management, which is not simulated"
        }
        let rules = era.rules
        if let reason = rules.unknownServices[entry.service] { return reason }
        guard !entry.mode.isEmpty, entry.mode != rules.mode else { return nil }
        guard let mode = rules.mode else { return "?mode= exists since iOS 14" }
        if !mode.isEmpty {
            return entry.mode == [.developer, .managed]
                ? "?mode=developer+managed needs both conditions at once, not either"
                : "the entry's mode is not met in \(rules.title)"
        }
        return entry.mode.contains(.developer)
            ? "?mode=developer is skipped by release builds: it needs a development-signed build "
                + "and Settings > Developer > Associated Domains Development; list the entry "
                + "without a mode as well"
            : "?mode=managed needs a device management profile that allows it"
    }

    /// Notes about the entry.
    package static func notes(_ entry: EntitlementEntry, _ era: Era) -> [String] {
        var notes: [String] = []
        if entry.isWildcard, !entry.isAnyDomain {
            notes.append(
                "*.\(entry.domain) is asked of \(entry.domain) itself; it covers sub-domains, not "
                    + "\(entry.domain): list that separately")
        }
        if entry.port != nil {
            notes.append(
                entry.service == "applinks"
                    ? "universal links with a port do not open the app (TN3155)"
                    : "only old documentation of Apple allows a port")
        }
        if let mode = era.rules.mode, !mode.isEmpty, entry.mode.isEmpty {
            notes.append(
                "without ?mode=\(era.rawValue) a device would ask Apple's CDN; simulated as if "
                    + "the mode were there")
        }
        return notes
    }
}
