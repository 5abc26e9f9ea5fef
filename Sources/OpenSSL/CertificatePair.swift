internal import COpenSSL

/// A certificate chain, leaf first, with the leaf's private key.
package final class CertificatePair: Sendable {
    /// Leaf first; never empty.
    package let chain: [Certificate]
    package let key: PrivateKey
    /// The source files, for messages.
    package let chainName: String
    package let keyName: String
    /// Equal for equal chains (and so equal keys): tells whether a reload changed anything.
    package let identity: String

    package var leaf: Certificate { chain[0] }

    package init(chain: [Certificate], key: PrivateKey, chainName: String, keyName: String) {
        self.chain = chain
        self.key = key
        self.chainName = chainName
        self.keyName = keyName
        identity = hexadecimal(sha256(chain.flatMap(\.der)))
    }

    /// Loads a pair from PEM and checks that both match.
    ///
    /// - Throws: ``OpenSSLError`` if either cannot be parsed, or the key is not the leaf's.
    package static func load(
        chainPEM: [UInt8], keyPEM: [UInt8], chainName: String, keyName: String
    ) throws(OpenSSLError) -> CertificatePair {
        let chain = try Certificate.load(pem: chainPEM, name: chainName)
        let key = try PrivateKey.load(pem: keyPEM, name: keyName)
        if !key.matches(chain[0]) {
            if let position = chain.firstIndex(where: key.matches) {
                throw OpenSSLError(
                    cause:
                        "the certificate for \(keyName) is number \(position + 1) in \(chainName), not the first",
                    remedy: "Put the host's own certificate first, then the one that issued it.")
            }
            throw OpenSSLError(
                cause:
                    "\(keyName) (\(key.type)) is not the key of \(chainName) (\(chain[0].summary.subject), \(chain[0].summary.keyType))",
                remedy: "Use the key and the chain from the same renewal.")
        }
        return CertificatePair(chain: chain, key: key, chainName: chainName, keyName: keyName)
    }
}
