internal import COpenSSL

/// The type of a public key, with its strength.
package enum KeyType: Sendable, Hashable, CustomStringConvertible {
    /// For every kind of RSA signature; `.other` has the keys for RSASSA-PSS only (RFC 4055).
    case rsa(bits: Int)
    /// The curve by its OpenSSL name: `prime256v1`, `secp384r1`.
    case ecdsa(curve: String)
    case other(String)

    package var description: String {
        switch self {
        case .rsa(let bits): "RSA-\(bits)"
        case .ecdsa("prime256v1"): "ECDSA P-256"
        case .ecdsa("secp384r1"): "ECDSA P-384"
        case .ecdsa("secp521r1"): "ECDSA P-521"
        case .ecdsa(let curve): "ECDSA \(curve)"
        case .other(let name): name
        }
    }

    init(_ key: OpaquePointer?) {
        guard let key else {
            self = .other("unknown")
            return
        }
        switch EVP_PKEY_get_base_id(key) {
        case EVP_PKEY_RSA:
            self = .rsa(bits: Int(EVP_PKEY_get_bits(key)))
        case EVP_PKEY_EC:
            var name = [CChar](repeating: 0, count: 64)
            var length = 0
            let known = EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1
            self = .ecdsa(
                curve: known
                    ? String(
                        decoding: name.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
                    : "unknown")
        default:
            let name = EVP_PKEY_get0_type_name(key).map { String(cString: $0) }
            self = .other(name ?? "unknown")
        }
    }
}

/// The fields of a certificate that people want to see.
package struct CertificateSummary: Sendable, Hashable {
    /// The subject, most specific last, in the reverse order of RFC 2253: `C=US, O=Example,
    /// CN=example.com`.
    package let subject: String
    package let issuer: String
    /// The DNS names and IP addresses of the subject alternative name extension.
    package let names: [String]
    package let keyType: KeyType
    /// Seconds since 1970, UTC.
    package let notBefore: Int64
    /// Seconds since 1970, UTC.
    package let notAfter: Int64
    /// SHA-256 over the encoded certificate, hexadecimal, lower case.
    package let fingerprint: String

    init(_ x509: OpaquePointer, der: [UInt8]) {
        subject = CertificateSummary.text(X509_get_subject_name(x509))
        issuer = CertificateSummary.text(X509_get_issuer_name(x509))
        names = CertificateSummary.alternativeNames(x509)
        keyType = KeyType(X509_get0_pubkey(x509))
        // An unreadable date counts as never reached, or long past. It is within DateText's years,
        // so that differences cannot overflow.
        notBefore = CertificateSummary.seconds(X509_get0_notBefore(x509)) ?? DateText.latest
        notAfter = CertificateSummary.seconds(X509_get0_notAfter(x509)) ?? DateText.earliest
        fingerprint = hexadecimal(sha256(der))
        ERR_clear_error()
    }

    private static func text(_ name: OpaquePointer?) -> String {
        let bio = MemoryBIO()
        // Control characters are escaped: the text may go to a terminal or a log.
        let flags = UInt(
            ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_UTF8_CONVERT | XN_FLAG_SEP_CPLUS_SPC
                | XN_FLAG_FN_SN)
        X509_NAME_print_ex(bio.handle, name, 0, flags)
        return String(decoding: bio.bytes, as: UTF8.self)
    }

    private static func alternativeNames(_ x509: OpaquePointer) -> [String] {
        guard let raw = X509_get_ext_d2i(x509, NID_subject_alt_name, nil, nil) else { return [] }
        let stack = OpaquePointer(raw)
        defer { GENERAL_NAMES_free(stack) }
        var names: [String] = []
        for index in 0..<COpenSSL_sk_GENERAL_NAME_num(stack) {
            guard let name = COpenSSL_sk_GENERAL_NAME_value(stack, index) else { continue }
            var type: Int32 = -1
            guard let value = GENERAL_NAME_get0_value(name, &type) else { continue }
            let string = UnsafePointer<ASN1_STRING>(OpaquePointer(value))
            guard type == GEN_DNS || type == GEN_IPADD, let data = octets(of: string)
            else { continue }
            names.append(type == GEN_DNS ? printable(data) : address(data))
        }
        return names
    }

    /// A DNS name is ASCII; other bytes are shown as `?`, to keep them off the terminal.
    private static func printable(_ bytes: [UInt8]) -> String {
        String(
            decoding: bytes.map { $0 > 0x20 && $0 < 0x7f ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }

    private static func address(_ bytes: [UInt8]) -> String {
        if bytes.count == 4 { return bytes.map { String($0) }.joined(separator: ".") }
        guard bytes.count == 16 else { return "?" }
        return stride(from: 0, to: 16, by: 2)
            .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }
            .joined(separator: ":")
    }

    static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        guard let time, let epoch = ASN1_TIME_set(nil, 0) else { return nil }
        defer { ASN1_STRING_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
        return Int64(days) * 86_400 + Int64(seconds)
    }
}

/// SHA-256 of bytes (FIPS 180-4).
package func sha256(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { buffer, used in
        var length = 0
        let good = EVP_Q_digest(nil, "SHA256", nil, bytes, bytes.count, buffer.baseAddress, &length)
        used = good == 1 ? length : 0
    }
}

/// Hexadecimal digits of bytes, lower case.
package func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
