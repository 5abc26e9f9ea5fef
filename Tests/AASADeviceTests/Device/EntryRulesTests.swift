import AASADevice
import AppSiteAssociation
import TestSupport
import Testing

@Suite struct EntryRulesTests {
    private static func isAsked(_ text: String, _ era: Era) -> Bool {
        EntryRules.obstacle(EntitlementEntry(text), era) == nil
    }

    /// Which eras ask for an entry at all.
    @Test(arguments: [
        ("webcredentials:example.com", Era.allCases),
        ("applinks:example.com", [.ios93, .ios13, .ios14, .ios26, .developer, .managed]),
        ("appclips:example.com", [.ios14, .ios26, .developer, .managed]),
        ("applinks:example.com?mode=developer", [.developer]),
        ("applinks:example.com?mode=managed", [.managed]),
        ("applinks:example.com?mode=developer+managed", []),
        ("applinks:*", []), ("webcredentials:*.example.com", Era.allCases),
        // A warning, and an error that older systems do not know.
        ("webcredentials:example.com:8443", Era.allCases),
        ("applinks:example.com:8443", [.ios93, .ios13, .ios14, .ios26, .developer, .managed]),
        ("applinks:https://example.com", []), ("appclips:*.example.com", []), ("example.com", []),
    ])
    func asksForAnEntry(text: String, eras: [Era]) {
        for era in Era.allCases {
            expectEqual(Self.isAsked(text, era), eras.contains(era), "\(era)")
        }
    }

    @Test func saysWhyNotInTheBestWords() {
        func why(_ text: String, _ era: Era) -> String {
            EntryRules.obstacle(EntitlementEntry(text), era) ?? ""
        }
        #expect(why("applinks:https://example.com", .ios14).hasPrefix("the entry is not valid. "))
        #expect(why("applinks:*", .ios14).contains("device management"))
        #expect(why("applinks:example.com", .ios8).contains("iOS 9"))
        #expect(why("appclips:example.com", .ios13).contains("iOS 14"))
        #expect(why("applinks:example.com?mode=managed", .ios13).contains("?mode= exists"))
        #expect(why("applinks:example.com?mode=developer", .ios14).contains("release builds"))
        #expect(why("applinks:example.com?mode=managed", .ios14).contains("profile"))
        #expect(why("applinks:example.com?mode=managed", .developer).contains("developer mode"))
        #expect(why("applinks:example.com?mode=developer+managed", .managed).contains("both"))
    }

    @Test func notesWhatIsWorthKnowing() {
        func notes(_ text: String, _ era: Era) -> [String] {
            EntryRules.notes(EntitlementEntry(text), era)
        }
        expectEqual(notes("applinks:example.com", .ios14), [])
        expectEqual(notes("applinks:*", .ios14), [])
        let wildcard = notes("applinks:*.example.com", .ios14)
        #expect(wildcard.count == 1 && wildcard[0].contains("asked of example.com itself"))
        expectEqual(notes("applinks:example.com:8443", .ios14).first?.contains("TN3155"), true)
        expectEqual(
            notes("webcredentials:example.com:8443", .ios14),
            [
                "only old documentation of Apple allows a port"
            ])
        for era in Era.allCases {
            let played = notes("applinks:example.com", era)
            let isSimulated = era == .developer || era == .managed
            expectEqual(played.count, (isSimulated ? 1 : 0))
            if isSimulated { #expect(played[0].contains("?mode=\(era.rawValue)")) }
            #expect(notes("applinks:example.com?mode=\(era.rawValue)", era).isEmpty)
        }
    }
}
