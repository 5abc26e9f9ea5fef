import ACME
import AppSiteAssociation
import OpenSSL
import Reactor

/// A chain and its key as stored, encrypted: JSON with both as PEM text.
struct IssuedPair {
    var chain: [UInt8]
    var key: [UInt8]
    /// Whether to keep the pair of the other key type.
    var keepsOther: Bool

    var encoded: [UInt8] {
        JSONWriter.minified(
            .object([
                ("chain", .text(String(decoding: chain, as: UTF8.self))),
                ("key", .text(String(decoding: key, as: UTF8.self))),
                ("keepsOther", .flag(keepsOther)),
            ]))
    }

    var facts: CertificateFacts? {
        (try? Certificate.load(pem: chain, name: "issued").first).flatMap { $0 }
            .map { CertificateFacts($0) }
    }

    /// Erases the key when it is no longer needed.
    mutating func wipe() {
        for index in key.indices { key[index] = 0 }
    }
}

extension IssuedPair {
    init(decoding bytes: [UInt8], place: String) throws(Problem) {
        guard
            let value = try? JSONReader.read(SourceText(name: place, bytes: bytes)).root,
            let chain = value["chain"]?.string, let key = value["key"]?.string
        else {
            throw Problem(
                place: place, cause: "it is not a certificate with its key",
                remedy: "remove it: aasa then orders a new one")
        }
        self.init(
            chain: Array(chain.utf8), key: Array(key.utf8),
            keepsOther: value["keepsOther"]?.bool ?? true)
    }
}

/// This machine's copy of an issued pair, as of when the two were last compared.
struct IssuedCopy {
    let revision: Int64
    let facts: CertificateFacts?
    let keepsOther: Bool
    /// What lay in the folder.
    var traces: [Files.Status?]

    /// Whether the two have to be compared again: the pair was issued anew, or the copy was removed
    /// or replaced on this machine.
    ///
    /// - Parameter other: the copy of the other key type. A later one that does not keep this pair
    ///   has taken it away.
    func isOutdated(revision: Int64, traces: [Files.Status?], other: IssuedCopy?) -> Bool {
        if revision != self.revision { return true }
        if let other, !other.keepsOther, other.revision > revision { return false }
        return traces != self.traces
    }
}

extension LineageID {
    /// The certificate of the same host with the other key type.
    var other: LineageID { LineageID(folder: folder, isRSA: !isRSA) }

    /// The certificate of an issued pair's key in etcd, below the prefix; nil if it is none.
    init?(issuedKey key: String, below prefix: String) {
        let name = key.dropFirst(prefix.count)
        let isRSA = name.hasSuffix("+rsa")
        let folder = String(isRSA ? name.dropLast(4) : name)
        // Reject a name that could escape the folder: only holders of the role write here, but
        // their names become paths on this machine.
        guard FleetKeys.isName(folder) else { return nil }
        self.init(folder: folder, isRSA: isRSA)
    }
}
