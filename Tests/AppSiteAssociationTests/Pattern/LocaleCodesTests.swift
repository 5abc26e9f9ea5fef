import Testing

@testable import AppSiteAssociation

@Suite struct LocaleCodesTests {
    private let codes = LocaleCodes.shared
    private let regions = LocaleCodes.regionCodes.split(whereSeparator: \.isWhitespace)
    private let languages = LocaleCodes.languageCodes.split(whereSeparator: \.isWhitespace)

    private func letters(_ code: some StringProtocol) -> [Int] {
        code.lowercased().utf8.map { Int($0) - 97 }
    }

    /// The numbers that Apple's tool and Foundation have.
    @Test func theListsAreWhole() {
        #expect(regions.count == 257 && languages.count == 615)
        for list in [regions, languages] {
            #expect(zip(list, list.dropFirst()).allSatisfy { String($0) < String($1) })
        }
        #expect(regions.allSatisfy { $0.count == 2 && $0 == $0.uppercased() })
        #expect(languages.allSatisfy { (2...3).contains($0.count) && $0 == $0.lowercased() })
    }

    @Test func everyCodeIsKnown() {
        for code in regions.map(letters) { #expect(codes.isRegion(code[0], code[1])) }
        for code in languages.map(letters) {
            #expect(
                code.count == 2
                    ? codes.isLanguage(code[0], code[1])
                    : codes.isLanguage(code[0], code[1], code[2]))
        }
    }

    @Test func nothingElseIs() {
        var found = (regions: 0, two: 0, three: 0)
        for first in 0..<26 {
            for second in 0..<26 {
                found.regions += codes.isRegion(first, second) ? 1 : 0
                found.two += codes.isLanguage(first, second) ? 1 : 0
                for third in 0..<26 {
                    found.three += codes.isLanguage(first, second, third) ? 1 : 0
                }
            }
        }
        #expect(found.regions == regions.count)
        #expect(found.two == languages.filter { $0.count == 2 }.count)
        #expect(found.three == languages.filter { $0.count == 3 }.count)
    }

    @Test(arguments: [
        ("GB", true), ("UK", false), ("XK", true), ("AC", true), ("ZW", true), ("AA", false),
        ("ZZ", false),
    ]) func regionsAreThoseOfAppleTool(_ code: String, _ isRegion: Bool) {
        #expect(Pattern("$(region)", place: .text).matches(code) == isRegion)
    }
}
