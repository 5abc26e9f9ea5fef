import Testing

@testable import AppSiteAssociation

@Suite struct RuleSourceTests {
    private func page(_ source: String) -> String {
        let example = LintExample("{}")
        return RuleSource.page(
            of: LintRule(
                "c", .note, "t", why: "w", fix: "f", .documented, source, bad: example,
                good: example))
    }

    @Test(arguments: [
        ("Apple, applinks.Details", "bundleresources/applinks"),
        ("Apple, applinks.SubstitutionVariables", "bundleresources/applinks"),
        ("RFC 9116, section 2.5.3", "rfc/rfc9116"), ("RFC 8259", "rfc/rfc8259"),
        ("W3C, WebAuthn Level 3", "webauthn-3"), ("Apple's swcutil, published output", "tn3155"),
        ("Apple developer forum 712348", "thread/712348"),
    ]) func theBeginningOfASourceHasItsPage(_ source: String, _ part: String) {
        #expect(page(source).contains(part))
    }

    /// An observation or this tool itself: Apple's page on the whole subject.
    @Test func othersHaveThePageOnTheSubject() {
        for source in ["aasa, site folder", "", "see RFC 9116", "RFC 911"] {
            #expect(page(source).hasSuffix("/xcode/supporting-associated-domains"))
        }
    }

    @Test func noSourceIsAnInternalDocument() {
        for rule in RuleCatalog.all {
            #expect(!rule.source.contains(".md"), "\(rule.code): \(rule.source)")
            #expect(RuleSource.page(of: rule).hasPrefix("https://"), "\(rule.code)")
        }
    }

    /// What others publish is read at their place, not at Apple's.
    @Test func sourcesOfOthersHaveTheirPages() {
        let apple = "https://developer.apple.com/"
        for rule in RuleCatalog.all {
            let isOthers = ["RFC", "W3C", "Google", "Android"].contains {
                rule.source.hasPrefix($0)
            }
            #expect(
                RuleSource.page(of: rule).hasPrefix(apple) != isOthers,
                "\(rule.code): \(rule.source)")
        }
    }
}
