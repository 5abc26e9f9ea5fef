internal import COpenSSL

/// Verifies a signed association file: every check separately, as far as the file can be parsed.
package enum CMSVerifier {
    /// - Parameters:
    ///   - file: the bytes as served.
    ///   - host: the name that the signer's certificate must cover; `nil` skips this check.
    ///   - trust: the roots to trust.
    ///   - now: seconds since 1970.
    package static func verify(
        _ file: [UInt8], host: String?, trust: TLSClientSettings.Trust, now: Int64
    ) -> CMSReport {
        TLSLibrary.prepare()
        ERR_clear_error()
        defer { ERR_clear_error() }
        var report = CMSReport()
        report.fileSize = file.count
        checkFileSize(&report)
        guard let encoded = unwrap(file, &report) else { return report }
        checkEncoding(encoded, &report)
        guard let message = CMSMessage(encoded, &report) else { return report }
        message.checkContent(&report)
        let signer = message.checkSignature(&report)
        if let signer {
            message.checkChain(of: signer, trust: trust, now: now, &report)
            checkHost(signer, host, &report)
        } else {
            report.answer(.chain, .unknown("the signer's certificate is not known"))
            report.answer(.hostName, .unknown("the signer's certificate is not known"))
            report.answer(.dates, .unknown("the signer's certificate is not known"))
        }
        return report
    }

    /// The document in a signed file of any common form, without checks; `nil` if the file has none
    /// of these forms or its content is detached.
    package static func payload(of file: [UInt8]) -> [UInt8]? { message(in: file)?.content }

    /// Whether a message's signature holds by the certificate in it, which may be of anybody.
    /// `nil` if the bytes are no signed message.
    ///
    /// - Parameter content: the signed bytes where they are not in the message; `nil` for its own.
    package static func holds(_ file: [UInt8], over content: [UInt8]? = nil) -> Bool? {
        message(in: file)?.verifies(over: content)
    }

    /// The names that the certificate of a signed file's signer does not cover, not even by its
    /// Common Name; all of them, if the certificate is not in the file.
    package static func uncovered(_ names: [String], by file: [UInt8]) -> [String] {
        guard let signer = message(in: file)?.signer else { return names }
        return names.filter { !signer.covers($0, acceptsCommonName: true) }
    }

    private static func message(in file: [UInt8]) -> CMSMessage? {
        TLSLibrary.prepare()
        defer { ERR_clear_error() }
        var report = CMSReport()
        guard let encoded = unwrap(file, &report) else { return nil }
        return CMSMessage(encoded, &report)
    }

    /// Whether the bytes look like a signed file that clients can read. PEM and other text forms do
    /// not: the JSON parser explains them better than silent acceptance would.
    package static func looksSigned(_ file: [UInt8]) -> Bool {
        [.der, .ber].contains(CMSForm.sniff(file))
    }

    private static func checkFileSize(_ report: inout CMSReport) {
        report.answer(.fileSize, .good)
        if report.fileSize > CMSReport.greatest {
            report.find(
                .fileTooLarge, .fileSize,
                "the signed file has \(report.fileSize) bytes, and at most \(CMSReport.greatest) are allowed",
                remedy: "Shorten the document: the certificates and the signature count too.")
        }
    }

    /// Unwraps the CMS from a surrounding format, and reports that format.
    private static func unwrap(_ file: [UInt8], _ report: inout CMSReport) -> [UInt8]? {
        let sign = "Sign again with `aasa sign`, which writes DER."
        func stop(_ code: CMSFindingCode, _ message: String, _ remedy: String) -> [UInt8]? {
            report.find(code, .structure, message, remedy: remedy)
            return nil
        }
        switch CMSForm.sniff(file) {
        case .der, .ber: return file
        case .empty:
            return stop(.empty, "the file is empty", "Check the program that wrote it. " + sign)
        case .compressed:
            return stop(
                .compressed, "the file is compressed with gzip",
                "Serve it as it was signed; a server may compress it only in transit, with Content-Encoding."
            )
        case .transcoded:
            return stop(
                .transcoded, "a text filter changed bytes of the file, and they cannot be restored",
                "Copy it as binary, without an editor, charset conversion or template. "
                    + sign)
        case .json:
            return stop(
                .notSigned, "the file is JSON and not signed",
                "iOS 9 and later accept it; for iOS 8, sign it with `aasa sign`.")
        case .html:
            return stop(
                .notSigned, "the file is an HTML or XML page",
                "A redirect or an error page was saved instead of the file. " + sign)
        case .other:
            return stop(.notCMS, "the file is not a signed document", sign)
        case .pem:
            report.find(
                .pem, .encoding, "the file is PEM (text), and clients accept only DER (binary)",
                remedy: "Convert it: openssl cms -cmsout -inform PEM -outform DER -in FILE.")
            return CMSForm.decodePEM(file)
                ?? stop(.notCMS, "its PEM block is damaged", sign)
        case .base64:
            report.find(
                .base64, .encoding, "the file is base64 text, and clients accept only DER (binary)",
                remedy: "Convert it: openssl base64 -d -in FILE -out FILE.der.")
            return Base64.decodeLines(file) ?? stop(.notCMS, "its base64 is damaged", sign)
        case .smime:
            report.find(
                .smime, .encoding,
                "the file is an S/MIME message (text for mail), and clients accept only DER (binary)",
                remedy: "Sign with -outform DER, or use `aasa sign`.")
            return unwrapSMIME(file) ?? stop(.notCMS, "its S/MIME parts are damaged", sign)
        }
    }

    private static func unwrapSMIME(_ file: [UInt8]) -> [UInt8]? {
        let bio = MemoryBIO(reading: file)
        var detached: OpaquePointer?
        guard let cms = SMIME_read_CMS(bio.handle, &detached) else { return nil }
        defer {
            CMS_ContentInfo_free(cms)
            BIO_free(detached)
        }
        let encoded = MemoryBIO()
        return i2d_CMS_bio(encoded.handle, cms) == 1 ? encoded.bytes : nil
    }

    /// A report on the encoding of a file alone.
    package static func encoding(of file: [UInt8]) -> CMSReport {
        var report = CMSReport()
        checkEncoding(file, &report)
        return report
    }

    private static func checkEncoding(_ encoded: [UInt8], _ report: inout CMSReport) {
        let length: Int
        switch DERCheck.check(encoded) {
        case .der(let count):
            report.answer(.encoding, .good)
            length = count
        case .ber(let offset, let count):
            length = count
            if offset == 0, encoded[1] == 0x80 {
                report.find(
                    .berStream, .encoding,
                    "the file has indefinite lengths (BER), as `-stream` writes them",
                    remedy: "Sign without -stream, or use `aasa sign`, which writes DER.")
            } else {
                report.find(
                    .notDER, .encoding, "the file is BER, not DER, starting at byte \(offset)",
                    remedy: "Sign again with `aasa sign`, which writes DER.")
            }
        case .truncated, .malformed:
            report.answer(.encoding, .unknown("the file cannot be parsed to its end"))
            return
        }
        report.answer(.trailingBytes, .good)
        if length < encoded.count {
            let extra = encoded[length...]
            let isLine = extra.allSatisfy { $0 == 0x0a || $0 == 0x0d }
            report.find(
                .trailingBytes, .trailingBytes,
                (extra.count == 1 ? "1 byte follows" : "\(extra.count) bytes follow")
                    + " the signed document"
                    + (isLine ? " (line ends, as an editor or `echo` adds)" : ""),
                remedy: "Remove them, or sign again; copy the file as binary.")
        }
    }

    private static func checkHost(
        _ signer: Certificate, _ host: String?, _ report: inout CMSReport
    ) {
        guard let host else {
            report.answer(.hostName, .unknown("no host was named"))
            return
        }
        report.answer(.hostName, .good)
        if signer.covers(host) { return }
        if signer.covers(host, acceptsCommonName: true) {
            report.find(
                .commonName, .hostName,
                "the signer's certificate has \(host) only in its Common Name: iOS 13 and later "
                    + "do not accept it, iOS 8 to 12 do",
                remedy: "Sign with a certificate that names \(host) as a Subject Alternative Name.")
            return
        }
        let names = signer.summary.names
        let twin = names.contains("www." + host) || names.contains { "www." + $0 == host }
        report.find(
            .wrongHost, .hostName,
            "the signer's certificate does not cover \(host): it names "
                + (names.isEmpty ? "no host" : names.joined(separator: ", ")),
            remedy: twin
                ? "Get one certificate for both names, with and without www., or sign with the one of \(host)."
                : "Sign with the certificate of \(host).")
    }
}
