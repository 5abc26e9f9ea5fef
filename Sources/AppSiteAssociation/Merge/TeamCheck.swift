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
            diagnostics += strangers.prefix(LintLimits.findingsOfOneCode).map {
                foreign($0, in: fragment, fragments, indices)
            }
        }
        return diagnostics
    }

    private static func foreign(
        _ app: Located<String>, in fragment: Fragment, _ fragments: [Fragment],
        _ indices: [String: Int]
    ) -> Diagnostic {
        let prefix = String(app.value.prefix { $0 != "." })
        var message =
            "the app \"\(app.value)\" belongs to team \(prefix), but this is the fragment of team "
            + fragment.team
        var remedy = "Move it to \(prefix).json."
        var related: [Diagnostic.Related] = []
        if !AppIdentifier.isPrefix(prefix) {
            message =
                "the app ID \"\(app.value)\" does not begin with \(fragment.team)., as every app of "
                + "this fragment must"
                + (AppIdentifier.problem(in: app.value).map { ": \($0.message)" } ?? "")
            remedy = "Write \(fragment.team).BUNDLE-ID."
        } else if let owner = indices[prefix].map({ fragments[$0].file }) {
            let place = apps(of: owner).first { $0.value == app.value }
            related = [
                Diagnostic.Related(
                    message: place == nil
                        ? "the fragment of team \(prefix)" : "team \(prefix) lists it here",
                    source: owner.source, range: place?.range ?? 0..<0)
            ]
        }
        return Diagnostic(
            code: "merge-foreign-app", severity: .error, message: message, remedy: remedy,
            source: fragment.file.source, range: app.range, related: related)
    }

    /// Every app ID in the file, in any service and form, even if another form takes precedence:
    /// all of them are written to the merged document.
    ///
    /// - Parameter isRead: only those that some system reads: none reads those under the key of an
    ///   app in `details`.
    static func apps(of file: AssociationFile, isRead: Bool = false) -> [Located<String>] {
        var apps = (file.document.root.members ?? []).flatMap { strings($0.value["apps"]) }
        for detail in file.applinks?.details ?? [] {
            let isKeyed = detail.appIDForm == .key
            if isKeyed { apps += detail.appIDs }
            if isKeyed && isRead { continue }
            apps += strings(detail.appIDMember?.value) + strings(detail.appIDsMember?.value)
        }
        return apps.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    private static func strings(_ value: JSONValue?) -> [Located<String>] {
        value?.text.map { [$0] } ?? value?.texts ?? []
    }
}
