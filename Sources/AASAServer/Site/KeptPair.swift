import OpenSSL
import Reactor

/// A pair of certificate and key as its files hold it: the bytes are kept, whatever becomes of the
/// files.
package struct KeptPair: Sendable, Equatable {
    package let files: CertificateFolder.Files
    /// PEM; the same as the key's where one file holds both.
    package let chain: [UInt8]
    package let key: [UInt8]
    /// Since when it is used instead of the files' content, in seconds since 1970.
    package var since: Int64?
}

extension KeptPair {
    /// - Throws: ``FileError``, with place, cause and fix.
    init(reading files: CertificateFolder.Files) throws(FileError) {
        let limit = SiteLimits.certificateBytesMaximum
        self.init(
            files: files, chain: try Files.read(files.chain, limit: limit),
            key: try Files.read(files.key, limit: limit))
    }

    /// What the bytes are.
    func pair() throws(OpenSSLError) -> CertificatePair {
        try CertificatePair.load(
            chainPEM: chain, keyPEM: key, chainName: files.chain, keyName: files.key)
    }
}
