package import Reactor

/// Defaults for a folder, which needs none of the functions for several machines.
extension CertificateStore {
    package var lookSeconds: Int64 { 1 }
    package func bring() throws(Problem) -> Bool { false }
    package var unusable: [Problem] { [] }
    package func end() {}
}

extension FolderStore {
    private func file(_ name: String, of id: LineageID) -> String {
        "\(path)/\(id.folder)/\(name)\(id.isRSA ? "-rsa" : "").pem"
    }

    /// Whether the store already has this chain and its key.
    package func holds(_ id: LineageID, chain: [UInt8], key: [UInt8]) -> Bool {
        guard ((try? StoreFiles.read(file("fullchain", of: id))) ?? nil) == chain,
            var there = (try? StoreFiles.read(file("privkey", of: id))) ?? nil
        else { return false }
        defer { for index in there.indices { there[index] = 0 } }
        return there == key
    }

    /// What stands in the place of a pair, without reading it: the same until somebody removes or
    /// replaces it.
    package func traces(of id: LineageID) -> [Files.Status?] {
        ["fullchain", "privkey"].map { Files.status(file($0, of: id)) }
    }
}
