import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASAFleet

@Suite struct IssuedPairTests {
    @Test(arguments: [true, false]) func itComesBackAsItWasStored(_ keepsOther: Bool) throws {
        let pair = IssuedPair(
            chain: Array("-----BEGIN\n\"chain\"\n".utf8), key: Array("key\n".utf8),
            keepsOther: keepsOther)
        let read = try IssuedPair(decoding: pair.encoded, place: "issued/a.example")
        #expect(read.chain == pair.chain && read.key == pair.key)
        expectEqual(read.keepsOther, keepsOther)
    }

    /// Before there were two kinds of keys nothing said so: the other one is not taken away.
    @Test func withoutTheWordTheOtherStays() throws {
        let read = try IssuedPair(decoding: Array(#"{"chain":"c","key":"k"}"#.utf8), place: "p")
        #expect(read.keepsOther)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"chain":"c"}"#, #"{"key":"k"}"#, #"{"chain":1,"key":"k"}"#,
    ])
    func whatIsNoPairIsSaid(_ text: String) {
        do {
            _ = try IssuedPair(decoding: Array(text.utf8), place: "issued/a.example")
            Issue.record("taken")
        } catch {
            #expect(error.place == "issued/a.example" && !error.remedy.isEmpty)
        }
    }

    @Test func factsAreOfTheFirstOfTheChain() throws {
        let authority = try LocalAuthority.make(now: 1_800_000_000)
        let made = try authority.issue(
            names: ["a.example", "b.example"], key: .ecdsaP256, now: 1_800_000_000)
        let other = try authority.issue(
            names: ["c.example"], key: .ecdsaP256, now: 1_800_000_000)
        let pair = IssuedPair(
            chain: (made.chain + other.chain).flatMap(\.pem), key: made.key.unencryptedPEM(),
            keepsOther: true)
        expectEqual(pair.facts?.names, ["a.example", "b.example"])
        #expect(IssuedPair(chain: [1], key: [], keepsOther: true).facts == nil)
    }

    @Test func aCopyIsComparedAgainWhenThePairOrTheFolderIsAnother() {
        func copy(_ revision: Int64, keepsOther: Bool = true) -> IssuedCopy {
            IssuedCopy(
                revision: revision, facts: nil, keepsOther: keepsOther,
                traces: [Files.status("/"), nil])
        }
        let here = copy(5)
        #expect(!here.isOutdated(revision: 5, traces: here.traces, other: nil))
        #expect(here.isOutdated(revision: 6, traces: here.traces, other: nil))
        #expect(here.isOutdated(revision: 5, traces: [nil, nil], other: nil))
        #expect(here.isOutdated(revision: 5, traces: [nil, nil], other: copy(9)))
        // A later one took it away: they would replace each other for ever.
        let later = copy(9, keepsOther: false)
        #expect(!here.isOutdated(revision: 5, traces: [nil, nil], other: later))
        #expect(later.isOutdated(revision: 9, traces: [nil, nil], other: here))
        #expect(here.isOutdated(revision: 12, traces: [nil, nil], other: later))
    }

    @Test func aKeyThatNobodyReadsIsWiped() {
        var pair = IssuedPair(chain: [1], key: [2, 3], keepsOther: true)
        pair.wipe()
        #expect(pair.key == [0, 0] && pair.chain == [1])
    }
}
