import AppSiteAssociation
import OpenSSL

/// What is kept of a site and its certificates: ordinary files, as they were served, and what their
/// bytes do not say. A state folder holds it (`StateFolder`), and a successor gets it
/// (`KeptArchive`), both as these files:
///
/// ```
/// site/HOST/host.json, teams/…, well-known/…      a site folder
/// certs/HOST/fullchain.pem, privkey.pem, …        a certificate folder
/// signed/HOST, merged/HOST                        the signature, and the merged document
/// facts.json                                      what only history knows; all files' SHA-256
/// ```
package struct KeptTree: Sendable, Equatable {
    static let factsPath = "facts.json"
    /// 10,000 hosts with ten files each have a list of 15 MB.
    static let factsBytesMaximum = 1 << 26

    /// By path, without `facts.json`.
    package internal(set) var files: [String: [UInt8]] = [:]
    /// What the bytes do not say, as lists of texts: by the folder of a host or of certificates.
    var facts: [String: [String: [String]]] = [:]

    /// All files, with `facts.json`.
    var contents: [String: [UInt8]] {
        files.merging([Self.factsPath: factsFile]) { $1 }
    }

    /// Differs if anything does.
    var hash: String { hexadecimal(sha256(factsFile)) }

    private var factsFile: [UInt8] {
        func object<Value>(
            _ values: [String: Value], _ json: (Value) -> JSONValue
        ) -> JSONValue {
            .object(values.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) })
        }
        return JSONWriter.indented(
            .object([
                (
                    "facts",
                    object(facts) { facts in object(facts) { .list($0.map { .text($0) }) } }
                ),
                ("sha256", object(files) { .text(hexadecimal(sha256($0))) }),
            ]))
    }

    /// The tree of such files. A host of which a file is missing or changed is omitted, and so is
    /// a pair.
    ///
    /// - Returns: nil without `facts.json`; `damage`: the paths of what is missing or changed.
    static func read(_ contents: [String: [UInt8]]) -> (tree: KeptTree, damage: [String])? {
        let source = SourceText(name: factsPath, bytes: contents[factsPath] ?? [])
        let limits = JSONLimits(bytesMaximum: factsBytesMaximum, depthMaximum: 8)
        guard let root = try? JSONReader.read(source, limits: limits).root,
            let listed = root["sha256"]?.members, let facts = root["facts"]?.members
        else { return nil }
        var tree = KeptTree()
        var damage: [String] = []
        for file in listed {
            if let bytes = contents[file.key], hexadecimal(sha256(bytes)) == file.value.string {
                tree.files[file.key] = bytes
            } else {
                damage.append(file.key)
            }
        }
        for folder in facts
        where !damage.contains(where: { $0.hasPrefix("site/") && $0.hasPrefix(folder.key + "/") }) {
            tree.facts[folder.key] = Dictionary(
                (folder.value.members ?? []).map { ($0.key, $0.value.strings) },
                uniquingKeysWith: { $1 })
        }
        return (tree, damage.sorted())
    }
}
