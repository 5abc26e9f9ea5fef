internal import COpenSSL

/// A parsed CMS message, with checks of its content and signature.
final class CMSMessage {
    let handle: OpaquePointer
    /// The document; `nil` if it is detached.
    let content: [UInt8]?

    /// Parses the message; a failure is added to the report.
    init?(_ encoded: [UInt8], _ report: inout CMSReport) {
        let parsed = encoded.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            return d2i_CMS_ContentInfo(nil, &cursor, bytes.count)
        }
        guard let parsed else {
            ERR_clear_error()
            CMSMessage.explain(encoded, &report)
            return nil
        }
        handle = parsed
        guard OBJ_obj2nid(CMS_get0_type(parsed)) == NID_pkcs7_signed else {
            content = nil
            // An unknown type means a damaged byte.
            if OBJ_obj2nid(CMS_get0_type(parsed)) == NID_undef {
                CMSMessage.findDamage(&report)
                return nil
            }
            report.find(
                .wrongType, .structure,
                "the file is CMS of type \(CMSMessage.name(CMS_get0_type(parsed))), not signed data",
                remedy: "Sign the document; do not encrypt or digest it: `aasa sign`.")
            return nil
        }
        report.answer(.structure, .good)
        content = octets(of: CMS_get0_content(parsed)?.pointee)
        report.payload = content
        report.included = certificates.map(\.summary)
    }

    deinit { CMS_ContentInfo_free(handle) }

    /// All certificates in the file.
    private(set) lazy var certificates: [Certificate] = {
        guard let stack = CMS_get1_certs(handle) else { return [] }
        defer { COpenSSL_sk_X509_pop_free(stack) }
        return Certificate.all(in: stack)
    }()

    private static func findDamage(_ report: inout CMSReport) {
        report.find(
            .damaged, .structure, "the file is damaged",
            remedy: "Copy the file again as binary, or sign again with `aasa sign`.")
    }

    private static func explain(_ encoded: [UInt8], _ report: inout CMSReport) {
        switch DERCheck.check(encoded) {
        case .truncated:
            report.find(
                .truncated, .structure, "the file ends too early, after \(encoded.count) bytes",
                remedy:
                    "Copy it again as binary: an upload was cut off, or a transfer in text mode changed it."
            )
        case .der(encoded.count), .ber(_, encoded.count):
            report.find(
                .notCMS, .structure, "the file starts like DER but is not a CMS message",
                remedy: "It may be a certificate or a key. Sign the document with `aasa sign`.")
        case .der, .ber, .malformed: findDamage(&report)
        }
    }

    static func name(_ object: OpaquePointer?) -> String {
        let nid = OBJ_obj2nid(object)
        return OBJ_nid2sn(nid).map { String(cString: $0) } ?? "unknown"
    }

    // MARK: - The document

    func checkContent(_ report: inout CMSReport) {
        if OBJ_obj2nid(CMS_get0_eContentType(handle)) != NID_pkcs7_data {
            report.find(
                .wrongContentType, .structure,
                "the content is of type \(CMSMessage.name(CMS_get0_eContentType(handle))), not data",
                remedy: "Sign the document itself with `aasa sign`.")
        }
        guard let content else {
            report.find(
                .detached, .structure,
                "the signature is detached: the document is not in the file",
                remedy: "Sign with -nodetach, or use `aasa sign`.")
            report.answer(.payload, .unknown("the document is not in the file"))
            return
        }
        report.answer(.payload, .good)
        report.answer(.payloadSize, .good)
        if content.count > CMSReport.greatest {
            report.find(
                .payloadTooLarge, .payloadSize,
                "the document has \(content.count) bytes, and at most \(CMSReport.greatest) are allowed",
                remedy: "Shorten it; `aasa build` shows the share of each team.")
        }
        checkText(content, &report)
    }

    private func checkText(_ content: [UInt8], _ report: inout CMSReport) {
        if content.isEmpty {
            report.find(
                .emptyPayload, .payload, "the document in the file is empty",
                remedy: "Check what was signed: the input of the command was empty.")
        } else if content.starts(with: "Content-Type:".utf8)
            || content.starts(with: "content-type:".utf8)
        {
            report.find(
                .textHeader, .payload,
                "a mail header stands before the document, as `-text` writes it",
                remedy: "Sign without -text, or use `aasa sign`.")
        } else if content.starts(with: [0xef, 0xbb, 0xbf]) {
            report.find(
                .byteOrderMark, .payload,
                "the document begins with a byte order mark",
                remedy: "Save it as UTF-8 without BOM and sign again.")
        }
        if zip(content, content.dropFirst()).contains(where: { $0 == 0x0d && $1 == 0x0a }) {
            report.find(
                .lineEnds, .payload,
                "the document in the file has CRLF line endings, which devices accept; if your own document has LF, openssl without `-binary` added a byte to each line",
                remedy: "If that was not intended, sign with -binary, or use `aasa sign`.")
        }
    }
}
