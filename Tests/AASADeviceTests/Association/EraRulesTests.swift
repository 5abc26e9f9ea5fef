import AASADevice
import TestSupport
import Testing

@Suite struct EraRulesTests {
    /// What changed in which system (facts of Apple's pages, and of public reports).
    @Test func everyEraChangesWhatItsSystemChanged() {
        #expect(Era.ios8.rules.requiresSignature && Era.ios8.rules.bytesMaximum == nil)
        for era in Era.allCases where era != .ios8 {
            #expect(!era.rules.requiresSignature && era.rules.bytesMaximum == 131_072, "\(era)")
        }
        #expect([Era.ios8, .ios93].allSatisfy { $0.rules.acceptsCommonName })
        #expect(!Era.ios13.rules.acceptsCommonName && Era.ios13.rules.refusesDefects)
        expectEqual(Era.allCases.filter { !$0.rules.asksDirectly }, [.ios14, .ios26])
        expectEqual(
            Era.allCases.filter { $0.rules.hasHTTPSCallbacks },
            [.ios14, .ios26, .developer, .managed])
        expectEqual(Set(Era.allCases.map(\.rules.title)).count, Era.allCases.count)
    }
}
