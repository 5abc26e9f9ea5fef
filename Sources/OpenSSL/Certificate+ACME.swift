internal import COpenSSL

// The certificate fields that ACME uses.

extension Certificate {
    /// The authority key identifier (RFC 5280 section 4.2.1.1).
    package var authorityKeyIdentifier: [UInt8]? {
        octets(of: X509_get0_authority_key_id(handle))
    }

    /// The serial number in its DER encoding, without tag and length: the first bit is 0.
    package var serialBytes: [UInt8] {
        guard let magnitude = octets(of: X509_get0_serialNumber(handle)) else { return [] }
        return (magnitude.first ?? 0) & 0x80 != 0 ? [0] + magnitude : magnitude
    }

    /// The digest in a certificate for TLS-ALPN-01 (RFC 8737 section 3); nil if the extension is
    /// missing, not critical or malformed.
    package var acmeIdentifier: [UInt8]? {
        guard let object = OBJ_txt2obj("1.3.6.1.5.5.7.1.31", 1) else { return nil }
        defer { ASN1_OBJECT_free(object) }
        let index = X509_get_ext_by_OBJ(handle, object, -1)
        guard index >= 0, let found = X509_get_ext(handle, index),
            X509_EXTENSION_get_critical(found) == 1,
            let data = octets(of: X509_EXTENSION_get_data(found)), data.count == 34
        else { return nil }
        return data[0] == UInt8(V_ASN1_OCTET_STRING) && data[1] == 32 ? Array(data[2...]) : nil
    }

    /// Whether clients must reject the certificate without a stapled OCSP response ("must staple",
    /// RFC 7633, feature 5).
    package var requiresStapling: Bool {
        let index = X509_get_ext_by_NID(handle, NID_tlsfeature, -1)
        guard index >= 0, let found = X509_get_ext(handle, index),
            let data = octets(of: X509_EXTENSION_get_data(found))
        else { return false }
        // A sequence of small integers: 02 01 05 is status_request.
        return data.indices.dropLast(2).contains { Array(data[$0...($0 + 2)]) == [2, 1, 5] }
    }
}

extension CertificatePair {
    /// The certificate for a TLS-ALPN-01 challenge (RFC 8737 section 3): self-signed, for this one
    /// name, with the digest of the key authorization in a critical extension.
    ///
    /// - Parameters:
    ///   - digest: SHA-256 of the key authorization.
    ///   - now: seconds since 1970. The certificate is valid for a week around it: validators
    ///     ignore the dates, and their clocks may differ.
    /// - Throws: ``OpenSSLError``.
    package static func tlsALPNChallenge(
        name: String, digest: [UInt8], now: Int64
    ) throws(OpenSSLError) -> CertificatePair {
        var plan = CertificateTemplate(
            commonName: "ACME challenge", names: [name], notBefore: now - 86_400,
            notAfter: now + 7 * 86_400)
        plan.purpose = nil
        plan.acmeIdentifier = digest
        return try plan.make(issuer: nil)
    }
}
