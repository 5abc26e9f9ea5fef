package import AppSiteAssociation

/// The contents of the site folder, and what they mean.
package struct SiteSource: Sendable {
    /// As the operator wrote it.
    package let path: String
    /// Sorted by name.
    package var hosts: [HostSource]
    /// Problems of no single host: names that are no hosts, stray files, conflicts of aliases.
    package var problems: [Diagnostic]
    /// Names of hosts that something else than their folder has: a file, a link to nothing, or a
    /// folder with another spelling of the name. If such a host is served, its folder was lost.
    var notHosts: [String] = []

    package init(path: String, hosts: [HostSource], problems: [Diagnostic]) {
        self.path = path
        self.hosts = hosts
        self.problems = problems
    }

    /// Every name that clients may ask for.
    var names: Set<String> {
        Set(hosts.flatMap { [$0.name] + $0.inForce.aliases.map(\.value) })
    }
}

/// What one host's folder means.
package struct HostSource: Sendable {
    /// The bytes that all of it was read from.
    package let tree: HostTree
    /// What `host.json` says, without what another host has of it.
    package internal(set) var settings = HostSettings()
    /// The `host.json` of the settings; nil: there is none.
    package internal(set) var settingsSource: SourceText?
    package internal(set) var document = DocumentSource.none
    package internal(set) var siblings: [SiblingSource] = []
    /// Problems, by the part of the host that they affect.
    package var problems = HostProblems()
    /// The teams' parts of siblings, as they were read, in alphabetical order of their files.
    package internal(set) var siblingParts: [SiblingPart] = []
    /// Link tests: `links.csv`, `links.json` and `teams/TEAM.links.csv`.
    package internal(set) var links: [LinkSource] = []
    /// The groups whose bytes are kept ones, because those on disk cannot be used.
    package internal(set) var kept: Set<HostTree.Group> = []
    /// Those of them that are not on disk.
    package internal(set) var lost: Set<HostTree.Group> = []
    /// Why nothing of the host could be read, so that all of it is kept. It is reported once for
    /// all hosts with the same reason.
    package internal(set) var lostBecause: Diagnostic?
    /// Whether it vanished with the whole site, so that this host was not removed on purpose.
    package internal(set) var isLostWithSite = false

    package var name: String { tree.name }
    /// The host's folder, as messages name it.
    package var place: String { tree.place }

    /// The settings in force: good or kept ones.
    package var inForce: HostSettings {
        kept.contains(.settings) || !problems.settings.hasErrors ? settings : HostSettings()
    }
}

/// A file of link tests, and its team; nil: it is the host's.
package struct LinkSource: Sendable {
    package let source: SourceText
    package let team: String?
}

extension HostSource {
    /// Whether clients ask for the host by this name: its own or an alias.
    func isNamed(_ name: String) -> Bool {
        self.name == name || inForce.aliases.contains { $0.value == name }
    }

    /// The folder below `--certs` with its own certificates.
    var certificateFolder: String { inForce.certificate ?? name }

    package var settingsPlace: String { "\(place)/host.json" }
    package var siblingsPlace: String { "\(place)/well-known" }
}

/// Problems of one host by part: a broken `assetlinks.json` must not block the association
/// document, and the other way round.
package struct HostProblems: Sendable {
    /// `host.json`: names and form stay as they were.
    package var settings: [Diagnostic] = []
    /// Aliases, or the role of default host, that another host has: only these are ignored.
    package var names: [Diagnostic] = []
    /// Fragments or the ready-made file.
    package var document: [Diagnostic] = []
    /// Siblings, by name below `well-known/`; such a sibling keeps its last good state. A name that
    /// is empty or ends with a slash is a folder and stands for everything below it.
    package var siblings: [String: [Diagnostic]] = [:]

    package var all: [Diagnostic] { settings + names + document + allOfSiblings }
    var allOfSiblings: [Diagnostic] { siblings.sorted { $0.key < $1.key }.flatMap(\.value) }
}

extension [Diagnostic] {
    var hasErrors: Bool { contains { $0.severity == .error } }

    /// Adds a finding about a file or a folder of the site.
    mutating func add(
        _ code: String, as severity: Severity = .error, _ message: String, remedy: String,
        at place: String, related: [Diagnostic.Related] = []
    ) {
        append(
            Diagnostic(
                code: code, severity: severity, message: message, remedy: remedy, file: place,
                related: related))
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

    var isFragments: Bool { if case .fragments = self { true } else { false } }
}

/// One file under `well-known/`.
package struct SiblingSource: Sendable {
    /// Path below `well-known/`.
    package let name: String
    package let source: SourceText
    package let mediaType: String
    /// Whether it was merged from the teams' parts.
    package var isMerged = false
}
