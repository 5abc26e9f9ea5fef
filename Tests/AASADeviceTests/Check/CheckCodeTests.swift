import Testing

@testable import AASADevice

@Suite struct CheckCodeTests {
    /// Scripts match on them: lower-case words of a known group, joined by hyphens.
    @Test func namesAreAlike() {
        let groups: Set<Substring> = [
            "address", "tls", "answer", "status", "redirect", "agent", "device", "check",
            "document", "signed", "cdn", "sibling", "app", "certificate", "watch",
        ]
        for code in CheckCode.allCases {
            let words = code.rawValue.split(separator: "-", omittingEmptySubsequences: false)
            #expect(groups.contains(words[0]), "\(code.rawValue)")
            #expect(words.count > 1)
            for word in words {
                #expect(!word.isEmpty)
                #expect(
                    word.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == ".") },
                    "\(code.rawValue)")
            }
        }
    }

    @Test func eachIsInTheCatalogueOnce() {
        for code in CheckCode.allCases {
            #expect(
                CheckCatalog.table.entries.count { $0.code == code.rawValue } == 1,
                "\(code.rawValue)")
        }
    }
}
