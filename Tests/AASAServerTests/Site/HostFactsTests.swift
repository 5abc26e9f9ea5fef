import TestSupport
import Testing

@testable import AASAServer

@Suite struct HostFactsTests {
    @Test func whatIsKeptSaysSinceWhenAndWhy() {
        var facts = HostFacts()
        #expect(facts.kept == nil)
        facts.problem = "teams/A.json:3:7: no comma"
        // Never good: nothing is kept.
        #expect(facts.kept == nil)
        facts.keptSince = SiteFixture.now
        expectEqual(
            facts.kept,
            "serving the last good version since 2026-11-21T00:00:00Z, because teams/A.json:3:7: no comma"
        )
        facts.problem = nil
        #expect(facts.kept == nil)
    }

    @Test func onlyJSONNeedsNoSignature() {
        expectEqual(AssociationForm.allCases.filter { !$0.needsSignature }, [.json])
    }

    /// Long enough for an operator to see it at work, also of a change in the evening.
    @Test func aDepartureIsShownForADay() {
        #expect(HostFacts.RemovedTeam.shownSeconds >= 16 * 3600)
        #expect(HostFacts.RemovedTeam.shownSeconds <= 7 * 86_400)
    }

    @Test func aHostWithoutADocumentHasNothingToTell() {
        let facts = HostFacts()
        expectEqual(facts.form, .json)
        #expect(facts.teams.isEmpty && facts.apps == 0 && facts.documentBytes == 0)
        #expect(facts.removedTeams.isEmpty && facts.signatureEnds == nil)
    }
}
