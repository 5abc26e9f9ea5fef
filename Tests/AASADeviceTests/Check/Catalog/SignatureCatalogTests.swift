import OpenSSL
import TestSupport
import Testing

@testable import AASADevice

@Suite struct SignatureCatalogTests: CatalogSuite {
    @Test func hasEveryCodeOfTheVerifier() {
        let own = ["signed-content-type", "signed-only"]
        expectEqual(
            Set(family("signed files").map(\.code)),
            Set(own + CMSFindingCode.allCases.map { "cms-" + $0.rawValue }))
        let entries = family("signed files").filter { $0.code != "cms-file-too-large" }
        // Both sizes are said in the same words.
        expectEqual(entries.count, family("signed files").count - 1)
        expectWords(entries)
        expectEqual(CheckCatalog.entry("signed-only")?.severity, .note)
    }

    /// What keeps a device from the JSON is an error and says so; a trap for later is a warning.
    @Test func saysWhatItMeansForDevices() {
        for code in CMSFindingCode.allCases {
            let entry = CheckCatalog.entry("cms-\(code.rawValue)")
            expectEqual(
                entry?.why.contains("refuse"), (entry?.severity == .error), "\(code.rawValue)")
            // One severity for a code.
            expectEqual(
                entry?.severity, (code.isError ? .error : .warning), "\(code.rawValue)")
        }
        for code in [
            CMSFindingCode.endsSoon, .berStream, .notDER, .trailingBytes, .severalSigners,
            .lineEnds, .byteOrderMark, .signedAttributes, .weakDigest,
        ] {
            expectEqual(CheckCatalog.entry("cms-\(code.rawValue)")?.severity, .warning)
        }
        for code in [CMSFindingCode.expired, .badSignature, .wrongHost, .detached, .weakKey] {
            expectEqual(CheckCatalog.entry("cms-\(code.rawValue)")?.severity, .error)
        }
    }
}
