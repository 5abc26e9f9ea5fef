package import HTTP
import OpenSSL

/// Everything that is served at one moment: immutable, complete, shared by all workers. A reload
/// builds another snapshot and publishes it whole (`SnapshotPublisher`). An exchange that has begun
/// keeps its snapshot until its bytes are written; reference counting frees the snapshot then, and
/// no other memory reclamation is needed.
package final class Snapshot: Sendable {
    /// Counts publications of this process, from 1.
    package let generation: UInt64
    package let hosts: [ServedHost]
    /// The certificates the site is served with, by folder.
    package let certificates: [ServedCertificate]
    /// Index into `hosts` of the host that answers for unknown names.
    package let defaultHost: Int?
    /// 404, for every unknown path.
    package let notFound: PreparedResponse
    /// 400, for a request without a host, or with an impossible one, and for what is no request.
    package let badRequest: PreparedResponse
    /// 414, for a request line that is longer than a head may be.
    package let targetTooLong: PreparedResponse
    /// 503 with `Retry-After` and `no-store`: for a document of an unknown host while no default
    /// host is set, and for overload.
    package let unavailable: PreparedResponse
    /// What answers: `hosts`, followed by those that differ under some of their aliases.
    let answering: [ServedHost]
    /// The table of server names (SNI) suits `Host` and `:authority` as well: it allocates nothing.
    private let names: ServerNameSelection

    package init(
        generation: UInt64, hosts: [ServedHost], certificates: [ServedCertificate],
        defaultHost: Int?, notFound: PreparedResponse,
        badRequest: PreparedResponse = PreparedResponse(status: 400, fields: [], body: []),
        targetTooLong: PreparedResponse = PreparedResponse(status: 414, fields: [], body: []),
        unavailable: PreparedResponse
    ) {
        self.generation = generation
        self.hosts = hosts
        self.certificates = certificates
        self.defaultHost = defaultHost
        self.notFound = notFound
        self.badRequest = badRequest
        self.targetTooLong = targetTooLong
        self.unavailable = unavailable
        // Each name belongs to one host: see `SiteSource.withoutConflicts`.
        var pairs = hosts.enumerated().map { (name: $1.name, host: $0) }
        let answering = hosts + hosts.compactMap(\.unsigned)
        // The first entry of a name counts: aliases without the signature, then all aliases.
        for index in answering.indices.reversed() {
            for alias in answering[index].aliases { pairs.append((alias, index)) }
        }
        self.answering = answering
        names = ServerNameSelection(pairs)
    }

    var nameOfDefault: String? { defaultHost.map { hosts[$0].name } }

    /// The host, by its index into `answering`, that `authority` (`Host` field or `:authority`, any
    /// case, with or without port) names, or else the default host; nil: unknown and no default.
    /// The cost does not depend on the number of hosts.
    package func host(named authority: UnsafeRawBufferPointer) -> Int? {
        names.host(of: Self.withoutPort(authority)) ?? defaultHost
    }

    /// The host with that name or alias; never the default host.
    package func host(named name: String) -> ServedHost? {
        var name = name
        return name.withUTF8 { names.host(of: UnsafeRawBufferPointer($0)) }.map { answering[$0] }
    }

    /// An IPv6 literal keeps its brackets; it names no host here.
    private static func withoutPort(
        _ authority: UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        if authority.first == UInt8(ascii: "[") { return authority }
        var index = authority.count
        while index > 0, (48...57).contains(authority[index - 1]) { index -= 1 }
        guard index > 0, authority[index - 1] == UInt8(ascii: ":") else { return authority }
        return UnsafeRawBufferPointer(rebasing: authority[..<(index - 1)])
    }
}

/// One host as it is served.
package final class ServedHost: Sendable {
    /// Lower-case, like its folder.
    package let name: String
    package let aliases: [String]
    /// The answer on the two association paths.
    package let association: ServedAssociation
    /// Every other path of the host: siblings under `/.well-known/`, and the change-password
    /// redirect.
    package let siblings: [ServedSibling]
    package let counters: HostCounters
    package let facts: HostFacts
    /// The folder of its certificate, even if it does not exist.
    package let certificateFolder: String
    /// The host under those of its aliases that the signature does not cover, and so without it:
    /// a device takes such a signature as a final no. Nil: there are none.
    let unsigned: ServedHost?

    /// - Parameter certificateFolder: nil: the one with the host's name.
    package init(
        name: String, aliases: [String], association: ServedAssociation,
        siblings: [ServedSibling], counters: HostCounters, facts: HostFacts,
        certificateFolder: String? = nil, unsigned: ServedHost? = nil
    ) {
        self.name = name
        self.unsigned = unsigned
        self.certificateFolder = certificateFolder ?? name
        self.aliases = aliases
        self.association = association
        self.siblings = siblings
        self.counters = counters
        self.facts = facts
    }

    /// The answer for a path other than the association paths; paths compare byte for byte. A
    /// linear search: at most `SiteLimits.siblingsMaximum`, most of which differ in length.
    package func sibling(at path: UnsafeRawBufferPointer) -> PreparedResponse? {
        for sibling in siblings where sibling.path.bytes.count == path.count {
            if sibling.path.bytes.elementsEqual(path) { return sibling.response }
        }
        return nil
    }
}

/// What a host answers on the association paths: always 200 with the whole document, or 503.
package struct ServedAssociation: Sendable {
    /// For everyone, or for all but iOS 8.
    package let response: PreparedResponse
    /// How `response` is counted: as JSON, as signed, or as unavailable.
    package let counts: HostCounters.Answer
    /// The CMS form, or 503 without a valid signature, for devices that know no other form (iOS 8).
    /// Nil: they get the same as all others. Both have `Vary: User-Agent`.
    package let forIOS8: PreparedResponse?

    package init(
        _ response: PreparedResponse, as counts: HostCounters.Answer,
        forIOS8: PreparedResponse? = nil
    ) {
        self.response = response
        self.counts = counts
        self.forIOS8 = forIOS8
    }

    /// The response for a client, and how it is counted. The user agent is read only where it
    /// matters, and inlined: a copy of the association would count references.
    @inline(__always)
    package func response(
        userAgent: @autoclosure () -> UnsafeRawBufferPointer?
    ) -> (response: PreparedResponse, counts: HostCounters.Answer) {
        // Its downloader names `CFNetwork/711` (711.0.6 of 8.0 to 711.5.6 of 8.4; domain.md
        // sections 3.3 and 8). iOS 9 is `CFNetwork/758` and reads JSON.
        if let forIOS8, userAgent()?.contains("CFNetwork/711.") == true {
            return (forIOS8, forIOS8.status == 200 ? .signed : .unavailable)
        }
        return (response, counts)
    }
}

/// A document beside the association file, or a redirect.
package struct ServedSibling: Sendable {
    /// Absolute, as in a request: `/.well-known/assetlinks.json`.
    package let name: String
    package let path: PinnedBytes
    package let response: PreparedResponse

    package init(name: String, response: PreparedResponse) {
        self.name = name
        path = PinnedBytes(Array(name.utf8))
        self.response = response
    }
}
