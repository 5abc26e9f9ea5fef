import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct LocaleCodesTests {
    /// The numbers that Apple's tool and Foundation have.
    @Test func theListsAreWhole() {
        #expect(LocaleCodes.regions.count == 257 && LocaleCodes.languages.count == 615)
        #expect(LocaleCodes.regions.allSatisfy { $0.count == 2 && $0 == $0.uppercased() })
        #expect(
            LocaleCodes.languages.allSatisfy {
                (2...3).contains($0.count) && $0 == $0.lowercased()
            })
    }

    @Test(arguments: [
        ("GB", true), ("UK", false), ("XK", true), ("AC", true), ("ZW", true), ("AA", false),
        ("ZZ", false),
    ]) func regionsAreThoseOfAppleTool(_ code: String, _ isRegion: Bool) {
        expectEqual(Pattern("$(region)", place: .text).matches(code), isRegion)
    }
}
