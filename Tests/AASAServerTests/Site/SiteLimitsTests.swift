import TestSupport
import Testing

@testable import AASAServer

/// The arithmetic of the figures: one that is changed has to fit the others.
@Suite struct SiteLimitsTests {
    @Test func aDocumentIsAtMostWhatAppleReads() {
        expectEqual(SiteLimits.documentBytesMaximum, 128 * 1024)
        // Indented generously it grows fourfold: such a file must still be read and merged.
        #expect(SiteLimits.fragmentBytesMaximum >= 4 * SiteLimits.documentBytesMaximum)
        // A file of other kinds is no reason to hold a gigabyte of teams.
        #expect(SiteLimits.fragmentBytesMaximum <= 1 << 20)
    }

    @Test func theLongestListOfAliasesFitsItsFile() {
        #expect(SiteLimits.aliasesMaximum * 63 <= SiteLimits.settingsBytesMaximum)
        #expect(SiteLimits.settingsBytesMaximum <= SiteLimits.fragmentBytesMaximum)
    }

    @Test func moreFilesAreReadThanServedBeforeAFolderIsTakenForAMistake() {
        #expect(SiteLimits.siblingEntriesMaximum > 2 * SiteLimits.siblingsMaximum)
        #expect(SiteLimits.siblingBytesMaximum > SiteLimits.documentBytesMaximum)
        // `acme-challenge/TOKEN`, and nothing deeper that a path could hide in.
        expectEqual(SiteLimits.siblingDepthMaximum, 2)
    }

    @Test func aChainOfLargeKeysFits() {
        #expect(SiteLimits.certificateBytesMaximum >= 8 * 30 * 1024)
        #expect(SiteLimits.teamsMaximum > 665, "the largest document known")
    }

    /// Two contexts of 25 KB and 3 KB of answers for each host, on a worker.
    @Test func theHostsOfAServerFitItsMemory() {
        #expect(SiteLimits.hostsMaximum * (3 + 2 * 25) * 1024 < 1 << 30)
    }
}
