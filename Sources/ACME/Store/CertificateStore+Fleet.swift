package import Reactor

/// Defaults for a folder, which needs none of the functions for several machines.
extension CertificateStore {
    package var lookSeconds: Int64 { 1 }
    package func bring() throws(Problem) -> Bool { false }
    package var unusable: [Problem] { [] }
    package func end() {}
}

extension FolderStore {
    /// Whether the store already has this chain, and so its key.
    package func holds(_ id: LineageID, chain: [UInt8]) -> Bool {
        let file = "\(path)/\(id.folder)/fullchain\(id.isRSA ? "-rsa" : "").pem"
        return ((try? StoreFiles.read(file)) ?? nil) == chain
    }
}
