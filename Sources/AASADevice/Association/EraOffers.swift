import OpenSSL

/// The ClientHello of each era, as Safari of its time sent it: that the association daemon shares
/// the system's TLS is an inference. A test compares them with the recorded ones
/// (`Tests/TestSupport/Hellos.swift`), and names what is not simulated.
extension TLSOffer {
    /// Safari 8 on iOS 8.4: no authenticated cipher, and no ALPN.
    static let ios8 = TLSOffer().with {
        // The hello of TLS 1.2 shows the newest version alone.
        $0.minimumVersion = .tls10
        $0.maximumVersion = .tls12
        $0.cipherList = """
            ECDHE-ECDSA-AES256-SHA384:ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA:\
            ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-DES-CBC3-SHA:ECDHE-RSA-AES256-SHA384:\
            ECDHE-RSA-AES128-SHA256:ECDHE-RSA-AES256-SHA:ECDHE-RSA-AES128-SHA:\
            ECDHE-RSA-DES-CBC3-SHA:ECDH-ECDSA-AES256-SHA384:ECDH-ECDSA-AES128-SHA256:\
            ECDH-ECDSA-AES256-SHA:ECDH-ECDSA-AES128-SHA:ECDH-ECDSA-DES-CBC3-SHA:\
            ECDH-RSA-AES256-SHA384:ECDH-RSA-AES128-SHA256:ECDH-RSA-AES256-SHA:\
            ECDH-RSA-AES128-SHA:ECDH-RSA-DES-CBC3-SHA:DHE-RSA-AES256-SHA256:\
            DHE-RSA-AES128-SHA256:DHE-RSA-AES256-SHA:DHE-RSA-AES128-SHA:DHE-RSA-DES-CBC3-SHA:\
            AES256-SHA256:AES128-SHA256:AES256-SHA:AES128-SHA:DES-CBC3-SHA:ECDHE-ECDSA-RC4-SHA:\
            ECDHE-RSA-RC4-SHA:ECDH-ECDSA-RC4-SHA:ECDH-RSA-RC4-SHA:RC4-SHA:RC4-MD5
            """
        $0.groups = "P-256:P-384:P-521"
        $0.signatureAlgorithms =
            "rsa_pkcs1_sha384:rsa_pkcs1_sha256:rsa_pkcs1_sha1:ecdsa_secp256r1_sha256:ECDSA+SHA1"
        $0.protocols = []
    }

    /// Safari 9 on iOS 9: GCM, and HTTP/2 first.
    static let ios9 = ios8.with {
        $0.cipherList = """
            ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-AES128-GCM-SHA256:\
            ECDHE-ECDSA-AES256-SHA384:ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA:\
            ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-DES-CBC3-SHA:ECDHE-RSA-AES256-GCM-SHA384:\
            ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-SHA384:ECDHE-RSA-AES128-SHA256:\
            ECDHE-RSA-AES256-SHA:ECDHE-RSA-AES128-SHA:ECDHE-RSA-DES-CBC3-SHA:AES256-GCM-SHA384:\
            AES128-GCM-SHA256:AES256-SHA256:AES128-SHA256:AES256-SHA:AES128-SHA:DES-CBC3-SHA:\
            ECDHE-ECDSA-RC4-SHA:ECDHE-RSA-RC4-SHA:RC4-SHA:RC4-MD5
            """
        $0.signatureAlgorithms =
            "rsa_pkcs1_sha384:rsa_pkcs1_sha256:rsa_pkcs1_sha1:ecdsa_secp384r1_sha384"
            + ":ecdsa_secp256r1_sha256:ECDSA+SHA1"
        $0.protocols = [.http2, .http11]
    }

    /// Safari 13.0 on macOS 10.14.6. iOS 12.2 has the same lists: TLS 1.3, ChaCha20, X25519.
    static let ios13 = ios9.with {
        $0.maximumVersion = .tls13
        $0.cipherSuites =
            "TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384"
        $0.cipherList = """
            ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-AES128-GCM-SHA256:\
            ECDHE-ECDSA-AES256-SHA384:ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA:\
            ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-AES256-GCM-SHA384:\
            ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-SHA384:ECDHE-RSA-AES128-SHA256:\
            ECDHE-RSA-AES256-SHA:ECDHE-RSA-AES128-SHA:ECDHE-RSA-CHACHA20-POLY1305:\
            AES256-GCM-SHA384:AES128-GCM-SHA256:AES256-SHA256:AES128-SHA256:AES256-SHA:AES128-SHA:\
            ECDHE-ECDSA-DES-CBC3-SHA:ECDHE-RSA-DES-CBC3-SHA:DES-CBC3-SHA
            """
        $0.groups = "X25519:P-256:P-384:P-521"
        $0.signatureAlgorithms =
            "ecdsa_secp256r1_sha256:rsa_pss_rsae_sha256:rsa_pkcs1_sha256:ecdsa_secp384r1_sha384"
            + ":ECDSA+SHA1:rsa_pss_rsae_sha384:rsa_pkcs1_sha384:rsa_pss_rsae_sha512"
            + ":rsa_pkcs1_sha512:rsa_pkcs1_sha1"
    }

    /// Safari 17.2 on iOS: fewer suites with CBC.
    static let ios17 = ios13.with {
        $0.cipherSuites =
            "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
        $0.cipherList = """
            ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-AES128-GCM-SHA256:\
            ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-AES256-GCM-SHA384:\
            ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES256-SHA:\
            ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES256-SHA:ECDHE-RSA-AES128-SHA:AES256-GCM-SHA384:\
            AES128-GCM-SHA256:AES256-SHA:AES128-SHA:ECDHE-ECDSA-DES-CBC3-SHA:\
            ECDHE-RSA-DES-CBC3-SHA:DES-CBC3-SHA
            """
    }

    /// Safari 26.0.1: X25519MLKEM768, no SHA-1 with ECDSA, TLS 1.2 at least.
    static let ios26 = ios17.with {
        $0.minimumVersion = .tls12
        $0.cipherSuites =
            "TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256"
        $0.signatureAlgorithms =
            "ecdsa_secp256r1_sha256:rsa_pss_rsae_sha256:rsa_pkcs1_sha256:ecdsa_secp384r1_sha384"
            + ":rsa_pss_rsae_sha384:rsa_pkcs1_sha384:rsa_pss_rsae_sha512:rsa_pkcs1_sha512"
            + ":rsa_pkcs1_sha1"
        $0.isHybrid = true
    }

    private func with(_ change: (inout TLSOffer) -> Void) -> TLSOffer {
        var offer = self
        change(&offer)
        return offer
    }
}
