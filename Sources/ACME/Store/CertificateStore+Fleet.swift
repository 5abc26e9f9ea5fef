package import Reactor

/// Defaults for a folder, which needs none of the functions for several machines.
extension CertificateStore {
    package var lookSeconds: Int64 { 1 }
    package func bring() throws(Problem) -> Bool { false }
    package var unusable: [Problem] { [] }
    package func end() {}
}

extension FolderStore {
    private func files(of id: LineageID) -> (chain: String, key: String) {
        let (files, folder) = (Self.files(isRSA: id.isRSA), "\(path)/\(id.folder)")
        return ("\(folder)/\(files.chain)", "\(folder)/\(files.key)")
    }

    /// Whether the store already has this chain and its key.
    package func holds(_ id: LineageID, chain: [UInt8], key: [UInt8]) -> Bool {
        let files = files(of: id)
        guard ((try? StoreFiles.read(files.chain)) ?? nil) == chain,
            var there = (try? StoreFiles.read(files.key)) ?? nil
        else { return false }
        defer { for index in there.indices { there[index] = 0 } }
        return there == key
    }

    /// What stands in the place of a pair, without reading it: the same until another tool removes
    /// or replaces it.
    package func traces(of id: LineageID) -> [Files.Status?] {
        let files = files(of: id)
        return [files.chain, files.key].map { Files.status($0) }
    }
}
