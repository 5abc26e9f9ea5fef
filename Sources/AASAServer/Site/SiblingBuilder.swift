import AppSiteAssociation
import HTTP

/// The files under `well-known/` and their last good states → what is served of them.
///
/// A sibling that cannot be read keeps its last good bytes. So does one that is no JSON where it
/// was, and has to be; if it never was any good it is served as it is, loudly: what validators say
/// about it is then the truth. A file that is gone was taken away: that is legal, and logged.
struct SiblingBuilder {
    private let source: HostSource
    private let previous: [String: HostState.SiblingState]
    private let factory: ResponseFactory
    private(set) var findings: [Diagnostic] = []
    /// The first reason why something older than what is on disk is served.
    private(set) var kept: Diagnostic?

    init(source: HostSource, previous: HostState?, factory: ResponseFactory) {
        self.source = source
        self.previous = previous?.siblings ?? [:]
        self.factory = factory
    }

    mutating func build(cacheControl: String) -> [String: HostState.SiblingState] {
        if source.problems.lost != nil { return previous }
        var states: [String: HostState.SiblingState] = [:]
        for (place, problems) in source.problems.siblings.sorted(by: { $0.key < $1.key }) {
            findings += problems
            guard let error = problems.first(where: { $0.severity == .error }) else { continue }
            keep(&states, because: error) { name in
                name == place || place.isEmpty || (place.hasSuffix("/") && name.hasPrefix(place))
            }
        }
        for name in source.siblingFolders.sorted() where previous[name] != nil {
            let error = Diagnostic(
                code: "site-unreadable", severity: .error,
                message: "a folder stands where a document was",
                remedy: "move the folder away and put the file back",
                file: "\(source.siblingsPlace)/\(name)")
            findings.append(error)
            keep(&states, because: error) { $0 == name }
        }
        for sibling in source.siblings {
            states[sibling.name] = state(of: sibling, cacheControl)
        }
        return limited(states)
    }

    private mutating func keep(
        _ states: inout [String: HostState.SiblingState], because error: Diagnostic,
        _ isMeant: (String) -> Bool
    ) {
        for (name, known) in previous where isMeant(name) { states[name] = known }
        // Something that was never served is not kept, but whoever looks at the host has to see it.
        if kept == nil { kept = error }
    }

    private mutating func state(
        of sibling: SiblingSource, _ cacheControl: String
    ) -> HostState.SiblingState {
        let known = previous[sibling.name]
        if let known, known.source.isSame(as: sibling.source),
            known.mediaType == sibling.mediaType, known.cacheControl == cacheControl
        {
            findings += known.findings
            return known
        }
        var found: [Diagnostic] = []
        if let fault = Self.fault(of: sibling) {
            if let known, known.findings.isEmpty {
                findings.append(fault)
                if kept == nil { kept = fault }
                return known
            }
            found = [fault]
        }
        findings += found
        return HostState.SiblingState(
            source: sibling.source, mediaType: sibling.mediaType, cacheControl: cacheControl,
            name: sibling.name, factory: factory, findings: found)
    }

    /// Why nobody who asks for the file can read it.
    private static func fault(of sibling: SiblingSource) -> Diagnostic? {
        guard sibling.mediaType == "application/json" || sibling.mediaType.hasSuffix("+json")
        else { return nil }
        do {
            _ = try JSONReader.read(sibling.source)
            return nil
        } catch {
            return error.diagnostic
        }
    }

    /// Over the limit those that are served already go first, then by name.
    private mutating func limited(
        _ states: [String: HostState.SiblingState]
    ) -> [String: HostState.SiblingState] {
        guard states.count > SiteLimits.siblingsMaximum else { return states }
        let order = states.keys.sorted {
            (previous[$0] == nil ? 1 : 0, $0) < (previous[$1] == nil ? 1 : 0, $1)
        }
        let left = order.dropFirst(SiteLimits.siblingsMaximum)
        findings.append(
            Diagnostic(
                code: "site-too-many-siblings", severity: .error,
                message: "\(states.count) files; at most \(SiteLimits.siblingsMaximum) are served, "
                    + "those known first; not served: "
                    + left.prefix(5).joined(separator: ", ")
                    + (left.count > 5 ? " and \(left.count - 5) more" : ""),
                remedy: "take away what nobody asks for", file: source.siblingsPlace))
        return states.filter { !left.contains($0.key) }
    }
}
