package import AppSiteAssociation
package import Reactor

/// The contents of the site folder: bytes and settings, before any decision.
package struct SiteSource: Sendable {
    /// As the operator wrote it.
    package let path: String
    /// Sorted by name.
    package var hosts: [HostSource]
    /// Entries with the name of a host that are no folder, or a link to nothing: if a host of that
    /// name is served, its folder was lost.
    package var notFolders: [FolderEntry] = []
    /// Problems of no single host: names that are no hosts, stray files, conflicts of aliases.
    package var problems: [Diagnostic]
}

/// One host's folder.
package struct HostSource: Sendable {
    package let name: String
    package let settings: HostSettings
    /// The `host.json` of the settings; nil: there is none.
    package let settingsSource: SourceText?
    /// The host's folder, as messages name it.
    package let place: String
    package private(set) var document: DocumentSource
    package private(set) var siblings: [SiblingSource]
    /// Folders below `well-known/`, by path: a folder in the place of a served file means that the
    /// file was lost.
    package let siblingFolders: Set<String>
    /// Whether `well-known/` exists, even if empty.
    package let hasSiblingFolder: Bool
    /// Problems, by the part of the host that they affect.
    package var problems: HostProblems
    /// The teams' parts of siblings, as they were read.
    package private(set) var siblingParts: [SiblingPart] = []
    /// Tests for links: `links.csv`, `links.json` and `teams/TEAM.links.csv`.
    package var links: [LinkSource] = []
    /// Whether the host is of a revision of a fleet that was not loaded before: its files were all
    /// compared with what was published, so what is not there was taken away on purpose.
    package var isWhole = false
    /// What other hosts have of the names and flags in `host.json`.
    package var refused = HostSettings.Refused()
    /// Whether `teams/` could be listed.
    package var hasTeams = false
    /// Whether there is nothing that a document could come from: no file, and no fragment that
    /// could be listed.
    package var isDocumentMissing = false
    /// Whether the host is kept because the whole site was gone.
    package var isLostWithSite = false
}

extension HostSource {
    /// The host with other files in `teams/`, as if these had been read.
    ///
    /// - Parameters:
    ///   - fragments: in the order of the teams; if empty, the host's own document stays.
    ///   - folder: the host's folder, for messages.
    package func replacing(
        fragments: [SourceText], parts: [SiblingPart], folder: String
    ) -> HostSource {
        var host = self
        if !fragments.isEmpty { host.document = .fragments(fragments) }
        host.siblingParts = parts
        host.siblings.removeAll(where: \.isMerged)
        let merged = MergedSiblings(
            parts, order: settings.order, host: folder, written: Set(host.siblings.map(\.name)),
            types: settings.types)
        host.siblings += merged.siblings
        for kind in SiblingPart.Kind.allCases { host.problems.siblings[kind.rawValue] = nil }
        host.problems.siblings.merge(merged.problems) { $0 + $1 }
        host.problems.document.removeAll { MergedSiblings.codes.contains($0.code) }
        host.problems.document += merged.warnings
        return host
    }
}

/// A file of tests for links, and its team; nil: it is the host's.
package struct LinkSource: Sendable {
    package let source: SourceText
    package let team: String?
}

extension HostSource {
    package var settingsPlace: String { "\(place)/host.json" }
    package var siblingsPlace: String { "\(place)/well-known" }

    /// A host whose whole folder cannot be read: everything known of it is kept.
    ///
    /// - Parameter withSite: whether nobody removed this host alone.
    package static func lost(
        _ name: String, place: String, because: Diagnostic, withSite: Bool = false
    ) -> HostSource {
        var problems = HostProblems()
        problems.lost = because
        return HostSource(
            name: name, settings: HostSettings(), settingsSource: nil, place: place,
            document: .none, siblings: [],
            siblingFolders: [], hasSiblingFolder: false, problems: problems,
            isDocumentMissing: true, isLostWithSite: withSite)
    }
}

/// Problems of one host by part: a broken `assetlinks.json` must not block the association
/// document, and the other way round.
package struct HostProblems: Sendable {
    /// Why nothing of the host could be read; reported once for all hosts with the same reason.
    package var lost: Diagnostic?
    /// `host.json`: names and form stay as they were.
    package var settings: [Diagnostic] = []
    /// Aliases, or the part of the default host, that another host has: only these are left out.
    package var names: [Diagnostic] = []
    /// Fragments or the ready-made file.
    package var document: [Diagnostic] = []
    /// Siblings, by name below `well-known/`; such a sibling keeps its last good state. A name that
    /// is empty or ends with a slash is a folder and stands for everything below it.
    package var siblings: [String: [Diagnostic]] = [:]

    package var all: [Diagnostic] {
        settings + names + document + siblings.sorted { $0.key < $1.key }.flatMap(\.value)
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
    /// Whether it was merged from the teams' parts.
    package var isMerged = false
    /// The teams of these parts.
    package var teams: Set<String> = []
}
