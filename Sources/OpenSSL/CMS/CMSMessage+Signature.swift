internal import COpenSSL

extension CMSMessage {
    /// Verifies the signature of the document. Returns the signer's certificate, if the file has
    /// it.
    func checkSignature(_ report: inout CMSReport) -> Certificate? {
        let infos = CMS_get0_SignerInfos(handle)
        guard let info = COpenSSL_sk_CMS_SignerInfo_value(infos, 0) else {
            report.find(
                .noSigner, .structure, "the file has no signature, only certificates",
                remedy: "Sign the document with `aasa sign`.")
            report.answer(.signature, .unknown("the file has no signature"))
            return nil
        }
        let count = COpenSSL_sk_CMS_SignerInfo_num(infos)
        if count > 1 {
            report.find(
                .severalSigners, .structure,
                "the file has \(count) signatures; the first is checked",
                remedy: "Sign once, with the certificate of the host.")
        }
        guard let signer = findSigner(info) else {
            let others = certificates.count
            report.find(
                .signerMissing, .signature,
                others == 0
                    ? "the certificate of the signer is not in the file"
                    : "none of the certificates in the file (\(others)) is the signer's: it was omitted, or the file was changed",
                remedy: others == 0
                    ? "Sign without -nocerts, or use `aasa sign`."
                    : "Copy the file again as binary, or sign again with `aasa sign`.")
            return nil
        }
        report.signer = signer.summary
        describe(info, signer, &report)
        if CMS_signed_get_attr_count(info) > 0 {
            report.find(
                .signedAttributes, .structure,
                "the signature covers attributes (signing time, capabilities), not only the document",
                remedy: "Sign with -noattr, as Apple documents it, or use `aasa sign`.")
        }
        guard let content else {
            report.answer(.signature, .unknown("the document is not in the file"))
            return signer
        }
        if verifies() {
            report.answer(.signature, .good)
        } else if isUnverifiable(info) {
            report.answer(.signature, .unknown("this machine's OpenSSL does not know the digest"))
        } else {
            diagnose(info, signer, content, &report)
        }
        return signer
    }

    /// The certificate of the first signer, if the file has it; nothing is verified.
    var signer: Certificate? {
        COpenSSL_sk_CMS_SignerInfo_value(CMS_get0_SignerInfos(handle), 0).flatMap(findSigner)
    }

    private func findSigner(_ info: OpaquePointer) -> Certificate? {
        certificates.first { CMS_SignerInfo_cert_cmp(info, $0.handle) == 0 }
    }

    /// Digest and signature only; the certificate is checked elsewhere.
    ///
    /// - Parameter detached: other bytes than the document in the file.
    func verifies(over detached: [UInt8]? = nil) -> Bool {
        let sink = MemoryBIO()
        let flags = UInt32(CMS_NO_SIGNER_CERT_VERIFY | CMS_BINARY)
        let source = detached.map { MemoryBIO(reading: $0) }
        // Of a memory BIO OpenSSL makes one of its own, and leaks it where it cannot begin (an
        // unknown digest). What stands behind a filter is read as it is.
        let filter = source.flatMap { _ in BIO_new(BIO_f_null()) }
        if source != nil, filter == nil { return false }
        defer { ERR_clear_error() }
        defer { BIO_free(filter) }
        return withExtendedLifetime((source, sink)) {
            if let source { BIO_push(filter, source.handle) }
            return CMS_verify(handle, nil, nil, filter, sink.handle, flags) == 1
        }
    }

    private func describe(
        _ info: OpaquePointer, _ signer: Certificate, _ report: inout CMSReport
    ) {
        let nid = digest(of: info)
        let name = OBJ_nid2sn(nid).map { String(cString: $0) } ?? "unknown digest"
        report.algorithm = "\(name) with \(signer.summary.keyType)"
        if nid == NID_md5 || nid == NID_md4 || nid == NID_md2 {
            report.find(
                .brokenDigest, .signature,
                "the signature uses \(name), which is broken, and clients reject it: two documents with the same digest take only seconds to make",
                remedy: "Sign again with SHA-256: `aasa sign`, or -md sha256.")
        } else if nid == NID_sha1 {
            report.find(
                .weakDigest, .signature,
                "the signature uses \(name), as OpenSSL before 1.1 did",
                remedy: "Sign again with SHA-256: `aasa sign`.")
        }
        let isSHA3 = name.hasPrefix("SHA3")
        if isSHA3 || algorithms(of: info)[1] == NID_rsassaPss {
            report.find(
                .newAlgorithm, .signature,
                "the signature uses \(isSHA3 ? name : "RSA-PSS"), which iOS 8 does not support",
                remedy: "Sign again with SHA-256 and RSA (PKCS #1) or ECDSA: `aasa sign`.")
        }
        if case .rsa(let bits) = signer.summary.keyType, bits < 2048 {
            report.find(
                .weakKey, .chain, "the signer's RSA key has \(bits) bits",
                remedy: "Get a certificate with ECDSA P-256, or RSA of 2048 bits or more.")
        }
    }

    private func isUnverifiable(_ info: OpaquePointer) -> Bool {
        EVP_get_digestbyname(OBJ_nid2sn(digest(of: info))) == nil
    }

    private func digest(of info: OpaquePointer) -> Int32 { algorithms(of: info)[0] }

    /// OpenSSL's numbers of the digest and of the signature's algorithm.
    private func algorithms(of info: OpaquePointer) -> [Int32] {
        var digest: UnsafeMutablePointer<X509_ALGOR>?
        var signature: UnsafeMutablePointer<X509_ALGOR>?
        CMS_SignerInfo_get0_algs(info, nil, nil, &digest, &signature)
        return [digest, signature].map { algorithm in
            var object: OpaquePointer?
            X509_ALGOR_get0(&object, nil, nil, algorithm)
            return OBJ_obj2nid(object)
        }
    }

    /// Why a signature is invalid: another key, another document, or changed line ends.
    private func diagnose(
        _ info: OpaquePointer, _ signer: Certificate, _ content: [UInt8],
        _ report: inout CMSReport
    ) {
        let again = "Sign again with `aasa sign`, and copy the file as binary."
        if CMS_signed_get_attr_count(info) > 0 {
            report.find(
                .badSignature, .signature,
                "the signature is not valid: the document or its attributes were changed, or another key signed it",
                remedy: again)
            return
        }
        for (name, variant) in CMSMessage.lineEndVariants(content) where verifies(over: variant) {
            report.find(
                .lineEndsChanged, .signature,
                "the line endings changed after signing: the signature is for \(name)",
                remedy: again)
            return
        }
        switch recoversDigest(info, signer) {
        case true?:
            report.find(
                .contentChanged, .signature,
                "the document was changed after signing: the signature is by this key, but for another document",
                remedy: again)
        case false?:
            report.find(
                .wrongKey, .signature,
                "the signature was not made with the key of the certificate \(signer.summary.subject), or it was damaged",
                remedy:
                    "Copy the file again as binary. If that does not help, sign again with the certificate's own key."
            )
        case nil:
            report.find(
                .wrongKey, .signature,
                "the signature is not valid for the certificate \(signer.summary.subject): another key signed, or the document was changed after signing",
                remedy:
                    "Sign again with the key and the certificate from the same renewal: `aasa sign`."
            )
        }
    }

    static func lineEndVariants(_ content: [UInt8]) -> [(String, [UInt8])] {
        var unix: [UInt8] = []
        for (index, byte) in content.enumerated() {
            let isPair =
                byte == 0x0d && index + 1 < content.count && content[index + 1] == 0x0a
            if !isPair { unix.append(byte) }
        }
        var windows: [UInt8] = []
        for byte in unix {
            if byte == 0x0a { windows.append(0x0d) }
            windows.append(byte)
        }
        return [("LF", unix), ("CRLF", windows)].filter { $0.1 != content }
    }

    /// RSA only: whether the signature decrypts to a digest of the right form. If so, the key is
    /// right and the document is wrong. `nil` if unknown.
    private func recoversDigest(_ info: OpaquePointer, _ signer: Certificate) -> Bool? {
        guard case .rsa = signer.summary.keyType,
            let signature = octets(of: CMS_SignerInfo_get0_signature(info)),
            let context = EVP_PKEY_CTX_new(X509_get0_pubkey(signer.handle), nil)
        else { return nil }
        defer {
            EVP_PKEY_CTX_free(context)
            ERR_clear_error()
        }
        guard EVP_PKEY_verify_recover_init(context) == 1,
            EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1,
            let method = EVP_get_digestbyname(OBJ_nid2sn(digest(of: info))),
            EVP_PKEY_CTX_set_signature_md(context, method) == 1
        else { return nil }
        var length = Int(EVP_PKEY_get_size(X509_get0_pubkey(signer.handle)))
        var recovered = [UInt8](repeating: 0, count: max(length, 64))
        return EVP_PKEY_verify_recover(
            context, &recovered, &length, signature, signature.count) == 1
    }
}
