package import AppSiteAssociation
package import OpenSSL

/// The stored state of an order under way. Each step is saved before the request that depends on
/// it: after a restart the same order continues with the same key.
package struct OrderState: Sendable {
    /// The directory's URL.
    package let directory: String
    package let names: [String]
    package let keyKind: CertificateTemplate.Key
    /// Seconds since 1970.
    package let begun: Int64
    /// Set before newOrder is sent: the authority may have an order whose URL we do not know.
    package var isIntended = false
    package var url: String?
    /// The certificate's key, created before finalize.
    package var key: PrivateKey?

    package var json: JSONValue {
        .object([
            ("directory", .text(directory)),
            ("names", .list(names.map { .text($0) })),
            ("keyKind", .text(keyKind.text)),
            ("begun", .integer(Int(begun))),
            ("isIntended", .flag(isIntended)),
            ("url", .text(url)),
            ("key", .text(key.map { String(decoding: $0.unencryptedPEM(), as: UTF8.self) })),
        ])
    }
}

extension OrderState {
    /// - Parameter name: of the file, for messages.
    /// - Throws: ``InvalidResponse`` or ``OpenSSLError``.
    package init(_ value: JSONValue, name: String) throws {
        guard let directory = value["directory"]?.string, let names = value["names"]?.array,
            let kind = value["keyKind"]?.string.flatMap(CertificateTemplate.Key.init(text:)),
            let begun = value["begun"]?.integer
        else { throw InvalidResponse("\(name) is not an order") }
        self.directory = directory
        self.names = names.compactMap(\.string)
        keyKind = kind
        self.begun = begun
        isIntended = value["isIntended"]?.bool ?? false
        url = value["url"]?.string
        key = try value["key"]?.string.map {
            try PrivateKey.load(pem: Array($0.utf8), name: name)
        }
    }
}

extension CertificateTemplate.Key {
    /// `ecdsa-p256`, `rsa-2048`: the format in files.
    package var text: String {
        switch self {
        case .ecdsaP256: "ecdsa-p256"
        case .rsa(let bits): "rsa-\(bits)"
        }
    }

    package init?(text: String) {
        let known = [.ecdsaP256] + [2048, 3072, 4096].map { Self.rsa(bits: $0) }
        guard let key = known.first(where: { $0.text == text }) else { return nil }
        self = key
    }

    package var isRSA: Bool { if case .rsa = self { true } else { false } }
}
