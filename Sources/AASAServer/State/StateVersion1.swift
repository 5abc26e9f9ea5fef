import AppSiteAssociation
import OpenSSL
import Reactor

/// Reads what aasa 1.1.0 kept, from its state folder or at an upgrade: records of fields, each with
/// a checksum. It kept what it had built, and not what it had read.
///
/// Only a way from there to here: to be deleted in a later release.
enum StateVersion1 {
    /// The largest record: a document in both forms, settings, and all siblings.
    static let bytesMaximum =
        3 * SiteLimits.documentBytesMaximum
        + SiteLimits.siblingsMaximum * SiteLimits.siblingBytesMaximum + (1 << 20)

    /// The content of a state folder: its files, and the problems of the others.
    static func read(
        _ folder: String
    ) -> (tree: KeptTree, places: [String], problems: [Problem]) {
        var tree = KeptTree()
        var places: [String] = []
        var problems: [Problem] = []
        for room in rooms {
            let names = (try? Files.names(in: "\(folder)/\(room)", limit: .max)) ?? []
            for place in names.map({ "\(folder)/\(room)/\($0)" }) {
                do throws(FileError) {
                    if let record = Record(try Files.read(place, limit: bytesMaximum)) {
                        record.add(to: &tree)
                        places.append(place)
                        continue
                    }
                    problems.append(damaged(place, "damaged: its checksum does not match"))
                } catch {
                    problems.append(damaged(place, error.cause))
                }
            }
        }
        return (tree, places, problems)
    }

    static let rooms = ["hosts", "certificates"]

    /// Removes what could be read: it is kept in another way by now.
    static func remove(from folder: String) {
        for place in read(folder).places { Files.remove(place) }
        for room in rooms { Files.removeEmptyFolder("\(folder)/\(room)") }
    }

    private static func damaged(_ place: String, _ cause: String) -> Problem {
        Problem(
            place: place, cause: cause, remedy: "let the server's user read it, or remove it")
    }

    /// What a process hands to its successor: records, each behind its size. Nil: damaged.
    static func handOver(_ bytes: [UInt8]) -> KeptTree? {
        var rest = bytes[...]
        var tree = KeptTree()
        while !rest.isEmpty {
            guard let count = line(&rest).flatMap({ Int($0) }), (0...rest.count).contains(count),
                let record = Record(Array(rest.prefix(count)))
            else { return nil }
            rest = rest.dropFirst(count)
            if let items = record["items"] {
                let lines = String(decoding: items, as: UTF8.self).split(separator: "\n")
                tree.inventory = Set(lines.map(String.init))
            }
            record.add(to: &tree)
        }
        return tree
    }

    fileprivate static func line(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard let end = rest.prefix(2048).firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
    }
}

/// `aasa-state 1 host example.com SHA256`, and fields of a name, a size and bytes.
private struct Record {
    let kind: String
    /// The name with `%XX` for what no file name should have.
    let fileName: String
    private var fields: [(name: String, bytes: [UInt8])] = []

    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        let head = StateVersion1.line(&rest)?.split(separator: " ").map(String.init) ?? []
        guard head.count == 5, head[0] == "aasa-state", head[1] == "1",
            hexadecimal(sha256(Array(rest))) == head[4]
        else { return nil }
        (kind, fileName) = (head[2], head[3])
        while !rest.isEmpty {
            let words = StateVersion1.line(&rest)?.split(separator: " ") ?? []
            guard words.count == 2, let count = Int(words[1]), (0..<rest.count).contains(count)
            else { return nil }
            fields.append((String(words[0]), Array(rest.prefix(count))))
            rest = rest.dropFirst(count + 1)
        }
    }

    subscript(field: String) -> [UInt8]? { fields.first { $0.name == field }?.bytes }

    private func text(_ field: String) -> String? {
        self[field].map { String(decoding: $0, as: UTF8.self) }
    }

    private func words(_ field: String, _ separator: Character = "\n") -> [String] {
        (text(field) ?? "").split(separator: separator).map(String.init)
    }

    private var name: String {
        var bytes: [UInt8] = []
        for (index, part) in fileName.split(separator: "%", omittingEmptySubsequences: false)
            .enumerated()
        {
            let byte = index == 0 ? nil : UInt8(part.prefix(2), radix: 16)
            if let byte { bytes.append(byte) }
            bytes += Array(part.dropFirst(byte == nil ? 0 : 2).utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func add(to tree: inout KeptTree) {
        if kind == "host" { tree.add(host, of: name) }
        if kind == "certificates" { tree.add(pairs, of: name, in: "") }
    }

    private var host: KeptHost {
        var kept = KeptHost()
        let settings = self["host.json"].map {
            HostSettingsReader.read(SourceText(name: "host.json", bytes: $0)).0
        }
        kept.files["host.json"] = self["host.json"]
        kept.files["apple-app-site-association"] = self["document.signed"] ?? self["document.json"]
        for field in fields where field.name.hasPrefix("sibling/") {
            kept.files["well-known/" + field.name.dropFirst("sibling/".count)] = field.bytes
        }
        kept.lost = Set(
            words("lost.siblings").map { .sibling($0) }
                + (self["lost.document"] == nil ? [] : [.document]))
        kept.isLost = self["lost.host"] != nil
        kept.facts = KeptFacts(
            aliases: Set(settings?.aliases.map(\.value) ?? [])
                .subtracting(words("refused.aliases")),
            isDefault: settings?.isDefault == true && self["refused.default"] == nil,
            defaultName: text("default"),
            form: self["document.json"] == nil ? nil : settings?.form ?? .json,
            signature: HostSignature(
                self["signature"], [text("signature.signer") ?? ""] + words("signature.life", " ")),
            since: text("kept").flatMap { Int64($0) })
        return kept
    }

    /// Files beside the folders of hosts have `crt` and `key` for names, and their like.
    private var pairs: [KeptPair] {
        (0...).lazy.map { "\($0)." }.prefix { self[$0 + "chain"] != nil }.compactMap { field in
            guard let key = self[field + "key"], let chainName = text(field + "chain.name"),
                let keyName = text(field + "key.name")
            else { return nil }
            let isBeside = ["crt", "pem"].contains(chainName)
            let start = "/" + name + (isBeside ? "" : "/")
            return KeptPair(
                files: .init(
                    chain: start + (isBeside ? "." : "") + chainName,
                    key: start + (isBeside && !keyName.hasPrefix("-") ? "." : "") + keyName),
                chain: self[field + "chain"] ?? [], key: key,
                since: text(field + "kept").flatMap { Int64($0) })
        }
    }
}
