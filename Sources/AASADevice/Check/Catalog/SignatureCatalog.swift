import AppSiteAssociation
import OpenSSL

extension CheckCatalog {
    static let signatures: [CodeEntry] =
        [
            CodeEntry(
                .signedContentType, .warning, "A signed document has another type than iOS 8 wants",
                why:
                    "iOS 8 demands application/pkcs7-mime for signed documents; later systems do "
                    + "not look.",
                remedy: "Serve signed documents as application/pkcs7-mime, or drop the signature."),
            CodeEntry(
                .signedOnly, .note, "The document is signed",
                why:
                    "Only iOS 8 needs the signature; it dies with the certificate, and no "
                    + "JavaScript tool "
                    + "can read the file.",
                remedy: "Serve plain JSON unless you support iOS 8."),
        ]
        + CMSFindingCode.allCases.map { code in
            let (severity, what, remedy) = words(code)
            return CodeEntry(
                "cms-\(code.rawValue)", severity, what,
                why: severity == .error
                    ? "iOS 8 refuses the association; later systems fail as well, because they "
                        + "cannot get at "
                        + "the JSON without a valid signature."
                    : "It works today, and is a trap for later.",
                fix: remedy)
        }

    private static func words(_ code: CMSFindingCode) -> (Severity, String, String) {
        let sign = "Sign again: aasa sign makes the form that Apple documents."
        return switch code {
        case .empty: (.error, "The signed file is empty", sign)
        case .pem: (.error, "The signed file is PEM text", "Publish DER. " + sign)
        case .smime: (.error, "The signed file is a mail message (S/MIME)", "Publish DER. " + sign)
        case .base64: (.error, "The signed file is base64 text", "Publish DER. " + sign)
        case .transcoded:
            (
                .error, "The signed file was changed as if it were text",
                "Upload it as binary; turn off character set conversion for it."
            )
        case .compressed:
            (.error, "The signed file is compressed", "Publish it uncompressed.")
        case .notSigned: (.error, "The file is not signed", sign)
        case .notCMS: (.error, "The file is binary, but no CMS", sign)
        case .truncated: (.error, "The signed file is cut short", "Upload it again, as binary.")
        case .damaged:
            (.error, "The signed file was damaged on the way", "Upload it again, as binary.")
        case .wrongType: (.error, "The CMS file is not of the kind SignedData", sign)
        case .wrongContentType: (.error, "The signed content is not plain data", sign)
        case .detached:
            (.error, "The signature is detached: the JSON is not inside", "Use -nodetach. " + sign)
        case .noSigner: (.error, "The file has no signature", sign)
        case .severalSigners: (.warning, "The file has several signatures", sign)
        case .berStream:
            (.warning, "The file is BER of unknown length", "Do not use -stream. " + sign)
        case .notDER: (.warning, "The file is not DER", sign)
        case .trailingBytes:
            (
                .warning, "Bytes follow the signed file",
                "Upload it as binary, without a final line feed."
            )
        case .textHeader:
            (.error, "A mail header stands before the JSON", "Do not use -text. " + sign)
        case .lineEnds:
            (.warning, "The document in the file has CRLF line ends", "Use -binary. " + sign)
        case .emptyPayload: (.error, "The signed document is empty", sign)
        case .byteOrderMark:
            (
                .warning, "The signed document begins with a byte order mark",
                "Save it without. " + sign
            )
        case .payloadTooLarge, .fileTooLarge:
            (.error, "The signed file is too large", "At most 131,072 bytes, signature included.")
        case .signerMissing:
            (.error, "The signer's certificate is not in the file", "Include it. " + sign)
        case .wrongKey:
            (.error, "Key and certificate of the signer do not belong together", sign)
        case .contentChanged:
            (.error, "The document was changed after it was signed", sign)
        case .lineEndsChanged:
            (.error, "Line ends were changed after signing", "Upload it as binary. " + sign)
        case .badSignature: (.error, "The signature is not valid", sign)
        case .signedAttributes:
            (.warning, "The signature has attributes", "Apple's command uses -noattr. " + sign)
        case .weakDigest: (.warning, "The digest is weak", "Use SHA-256. " + sign)
        case .brokenDigest: (.error, "The digest is broken", "Use SHA-256. " + sign)
        case .newAlgorithm:
            (
                .warning, "The algorithm is too new for iOS 8",
                "Use SHA-256 with RSA (PKCS #1) or ECDSA. " + sign
            )
        case .weakKey:
            (.error, "The signer's key is weak", "Use RSA of 2048 bits or more, or P-256.")
        case .missingIntermediate:
            (
                .error, "The signer's intermediate certificate is missing",
                "Include it (-certfile). " + sign
            )
        case .untrusted:
            (
                .error, "The signer's authority is not trusted",
                "Sign with the site's TLS certificate."
            )
        case .selfSigned:
            (
                .error, "The signer's certificate is self-signed",
                "Sign with the site's TLS certificate."
            )
        case .wrongPurpose:
            (
                .error, "The signer's certificate is not for servers",
                "Sign with the site's TLS certificate."
            )
        case .badChain:
            (.error, "The signer's chain is not valid", "Include the right chain. " + sign)
        case .wrongHost:
            (
                .error, "The signer's certificate is for another host",
                "Sign with a certificate that names this host."
            )
        case .commonName:
            (
                .warning, "Only the Common Name of the signer's certificate has the host",
                "Sign with a certificate that has the host as a Subject Alternative Name."
            )
        case .expired:
            (
                .error, "The signer's certificate has expired",
                "Sign again with the renewed certificate."
            )
        case .notYetValid:
            (.error, "The signer's certificate is not valid yet", "Check the clocks.")
        case .endsSoon:
            (
                .warning, "The signer's certificate ends soon",
                "Sign again at each renewal; aasa serve does it by itself."
            )
        }
    }
}
