package import Reactor

/// What a store that several machines share does beyond a folder, which has nothing to do there.
extension CertificateStore {
    package var lookSeconds: Int64 { 1 }
    package func bring() throws(Problem) -> Bool { false }
    package func end() {}
}

extension FolderStore {
    /// Whether this chain, and so its key, lies there already.
    package func holds(_ id: LineageID, chain: [UInt8]) -> Bool {
        let file = "\(path)/\(id.folder)/fullchain\(id.isRSA ? "-rsa" : "").pem"
        return ((try? StoreFiles.read(file)) ?? nil) == chain
    }
}
