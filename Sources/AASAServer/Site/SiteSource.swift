package import AppSiteAssociation

/// What was found in the site folder: bytes and settings, nothing decided yet.
package struct SiteSource: Sendable {
    /// As the operator wrote it.
    package let path: String
    /// Sorted by name.
    package let hosts: [HostSource]
    /// What concerns no single host: names that are no hosts, stray files, conflicts of aliases.
    package let problems: [Diagnostic]
}

/// One host's folder.
package struct HostSource: Sendable {
    package let name: String
    package let settings: HostSettings
    package let document: DocumentSource
    package let siblings: [SiblingSource]
    /// What is wrong, by the part of the host that it spoils.
    package let problems: HostProblems
}

/// Problems of one host by part: a broken `assetlinks.json` must not hold back the association
/// document, and the other way round.
package struct HostProblems: Sendable {
    /// `host.json`, an alias that another host has: names and form are unknown, so the whole host
    /// keeps its last good state.
    package var settings: [Diagnostic] = []
    /// Fragments or the ready-made file.
    package var document: [Diagnostic] = []
    /// Siblings, by name below `well-known/`; such a sibling keeps its last good state.
    package var siblings: [String: [Diagnostic]] = [:]

    package var all: [Diagnostic] {
        settings + document + siblings.sorted { $0.key < $1.key }.flatMap(\.value)
    }
}

/// Where a host's document comes from.
package enum DocumentSource: Sendable {
    /// One file per team, sorted by file name.
    case fragments([SourceText])
    /// `apple-app-site-association`: JSON, or DER of the CMS form.
    case readyMade(SourceText)
    /// Neither could be read; `HostProblems.document` says why.
    case none
}

/// One file under `well-known/`.
package struct SiblingSource: Sendable {
    /// Path below `well-known/`.
    package let name: String
    package let source: SourceText
    package let mediaType: String
}
