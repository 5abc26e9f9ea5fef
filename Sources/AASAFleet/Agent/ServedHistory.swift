import AppSiteAssociation

/// What a machine's link led to, in order, without what was taken back: the revision that was
/// served last, and which to serve where that one is damaged.
///
/// A value: folders' names in, folders' names out.
struct ServedHistory: Sendable, Equatable {
    static let fileName = "served.json"
    /// Only what still lies on the disk counts, which are a few.
    private static let maximum = 50

    /// Each was served until the next one was, or is wanted still: the last. A move back to one of
    /// them takes those behind it away.
    private(set) var chain: [String] = []
    /// Served instead of the last of the chain, which is damaged; nil if the last one is served.
    private(set) var instead: String?

    init() {}

    /// - Parameter bytes: something else than a history is an empty one.
    init(decoding bytes: [UInt8]) {
        guard let fields = try? FieldReader(bytes, place: Self.fileName) else { return }
        chain = (fields.value["served"]?.array ?? []).compactMap(\.string)
        instead = fields.value["instead"]?.string
    }

    var encoded: [UInt8] {
        JSONWriter.minified(
            .object([
                ("format", .integer(Int(FieldReader.format))),
                ("served", .list(chain.map { .text($0) })), ("instead", .text(instead)),
            ]))
    }

    /// The fleet said so: a publication, or a move back.
    mutating func moved(to name: String) {
        if let index = chain.firstIndex(of: name) {
            chain.removeSubrange((index + 1)...)
        } else {
            chain.append(name)
        }
        chain = chain.suffix(Self.maximum)
        instead = nil
    }

    /// The disk said so: what is wanted stays wanted.
    mutating func fell(to name: String, insteadOf wanted: String?) {
        if let wanted, wanted != chain.last { moved(to: wanted) }
        instead = name
    }

    /// What should be served.
    ///
    /// - Parameter link: where the link leads. A person may have moved it by hand, or an older
    ///   release that writes no history: its word counts, except where it leads to a stand-in.
    func wanted(link: String?) -> String? {
        guard let link, link != instead else { return chain.last ?? link }
        return link
    }

    /// What to try, in this order: what is wanted; what was served before it, the latest first;
    /// what else lies on the disk, of which some was taken back.
    func candidates(wanted: String?, among names: [String]) -> [String] {
        guard let wanted else {
            return names.sorted { Self.number(of: $0) > Self.number(of: $1) }
        }
        let earlier = chain.firstIndex(of: wanted).map { chain[..<$0] } ?? []
        let before = earlier.reversed().filter(names.contains)
        let number = Self.number(of: wanted)
        let rest = names.filter { $0 != wanted && !before.contains($0) }
        let older = rest.filter { Self.number(of: $0) < number }
        let newer = rest.filter { Self.number(of: $0) >= number }
        return [wanted] + before
            + older.sorted { Self.number(of: $0) > Self.number(of: $1) }
            + newer.sorted { Self.number(of: $0) < Self.number(of: $1) }
    }

    /// Of a folder (``RevisionID/folderName``); 0: it has none.
    static func number(of name: String) -> Int64 {
        Int64(name.prefix { $0 != "-" }) ?? 0
    }
}
