/// Checks that every app of a fragment belongs to the fragment's team, so that one team's edit can
/// never remove or claim another team's apps.
enum TeamCheck {
    static func diagnostics(_ fragments: [Fragment]) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        var indices: [String: Int] = [:]
        for (index, fragment) in fragments.enumerated() {
            if let earlier = indices[fragment.team] {
                diagnostics.append(
                    Diagnostic(
                        code: "merge-team-twice", severity: .error,
                        message: "team \(fragment.team) has two fragments",
                        remedy: "Merge the two fragments into one.",
                        file: fragment.file.source.name,
                        related: [
                            Diagnostic.Related(
                                message: "the other one",
                                file: fragments[earlier].file.source.name)
                        ]))
            } else {
                indices[fragment.team] = index
            }
        }
        for fragment in fragments {
            let own = Array((fragment.team + ".").utf8)
            let strangers = apps(of: fragment.file).filter { !$0.value.utf8.starts(with: own) }
            for app in strangers.prefix(LintLimits.findingsOfOneCode) {
                diagnostics.append(foreign(app, in: fragment, fragments, indices))
            }
            let more = strangers.dropFirst(LintLimits.findingsOfOneCode)
            if let first = more.first {
                diagnostics.append(
                    Diagnostic(
                        code: "merge-foreign-app", severity: .error,
                        message: "\(more.count) more app IDs from here on do not begin with "
                            + "\(fragment.team)., as every app of this fragment must",
                        remedy: "Move these apps to their teams' fragments.",
                        source: fragment.file.source, range: first.range))
            }
        }
        return diagnostics
    }

    private static func foreign(
        _ app: Located<String>, in fragment: Fragment, _ fragments: [Fragment],
        _ indices: [String: Int]
    ) -> Diagnostic {
        let prefix = String(app.value.prefix { $0 != "." })
        guard AppIdentifier.isPrefix(prefix) else {
            let problem = AppIdentifier.problem(in: app.value)
            return Diagnostic(
                code: "merge-foreign-app", severity: .error,
                message:
                    "the app ID \"\(app.value)\" does not begin with \(fragment.team)., as every "
                    + "app of "
                    + "this fragment must" + (problem.map { ": \($0.message)" } ?? ""),
                remedy: "Write \(fragment.team).BUNDLE-ID.", source: fragment.file.source,
                range: app.range)
        }
        var related: [Diagnostic.Related] = []
        if let owner = indices[prefix] {
            let source = fragments[owner].file.source
            let place = apps(of: fragments[owner].file).first { $0.value == app.value }
            related = [
                Diagnostic.Related(
                    message: place == nil
                        ? "the fragment of team \(prefix)" : "team \(prefix) lists it here",
                    source: source, range: place?.range ?? 0..<0)
            ]
        }
        return Diagnostic(
            code: "merge-foreign-app", severity: .error,
            message:
                "the app \"\(app.value)\" belongs to team \(prefix), but this is the fragment of "
                + "team "
                + fragment.team,
            remedy: "Move it to \(prefix).json.", source: fragment.file.source, range: app.range,
            related: related)
    }

    /// Every app ID in the file, in any service and form, even if another form takes precedence:
    /// all of them are written to the merged document.
    static func apps(of file: AssociationFile) -> [Located<String>] {
        let keyed = (file.applinks?.details ?? []).filter { $0.appIDForm == .key }
        let shadowed = keyed.flatMap {
            strings($0.appIDMember?.value) + strings($0.appIDsMember?.value)
        }
        return (effectiveApps(of: file) + shadowed).sorted {
            $0.range.lowerBound < $1.range.lowerBound
        }
    }

    /// The app IDs that some system reads: none reads those under the key of an app in `details`.
    static func effectiveApps(of file: AssociationFile) -> [Located<String>] {
        var apps: [Located<String>] = []
        for member in file.document.root.members ?? [] {
            apps += strings(member.value["apps"])
        }
        guard let applinks = file.applinks else { return apps }
        for detail in applinks.details {
            apps += detail.appIDForm == .appIDs ? [] : detail.appIDs
            if detail.appIDForm != .key {
                apps += strings(detail.appIDsMember?.value)
                if detail.appIDForm == .appIDs { apps += strings(detail.appIDMember?.value) }
            }
        }
        return apps.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    private static func strings(_ value: JSONValue?) -> [Located<String>] {
        value?.text.map { [$0] } ?? value?.texts ?? []
    }
}
