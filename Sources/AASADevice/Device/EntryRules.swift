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
                "\"\(entry.service):*\" is filled in by device management, which is not played here"
        }
        if era == .ios8, entry.service == "applinks" {
            return "universal links exist since iOS 9"
        }
        if era == .ios8 || era == .ios93 || era == .ios13, entry.service == "appclips" {
            return "App Clips exist since iOS 14"
        }
        switch era {
        case .ios8, .ios93, .ios13:
            return entry.mode.isEmpty ? nil : "?mode= exists since iOS 14"
        case .ios14, .ios26:
            if entry.mode.contains(.developer) {
                return
                    "?mode=developer is skipped by release builds: it needs a development-signed "
                    + "build and Settings > Developer > Associated Domains Development; list "
                    + "the entry without a mode as well"
            }
            if entry.mode.contains(.managed) {
                return "?mode=managed needs a device management profile that allows it"
            }
            return nil
        case .developer, .managed:
            if entry.mode == [.developer, .managed] {
                return "?mode=developer+managed needs both conditions at once, not either"
            }
            let wanted: EntitlementEntry.Mode = era == .developer ? .developer : .managed
            if entry.mode.isEmpty || entry.mode == wanted { return nil }
            return "the entry's mode is not met in \(era.rules.title)"
        }
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
        if era == .developer || era == .managed, entry.mode.isEmpty {
            notes.append(
                "without ?mode=\(era.rawValue) a device would ask Apple's CDN; played as if "
                    + "the mode were there")
        }
        return notes
    }
}
