import Testing

@testable import AASAFleet

@Suite struct ServedHistoryTests {
    private func history(_ names: String...) -> ServedHistory {
        var history = ServedHistory()
        for name in names { history.moved(to: name) }
        return history
    }

    @Test func aMoveBackTakesAwayWhatIsBehindIt() {
        #expect(history("1-a", "2-b", "3-c").chain == ["1-a", "2-b", "3-c"])
        #expect(history("1-a", "2-b", "1-a").chain == ["1-a"])
        #expect(history("1-a", "2-b", "1-a", "3-c").chain == ["1-a", "3-c"])
        #expect(history("1-a", "1-a").chain == ["1-a"])
    }

    @Test func whatIsWantedStaysWantedBehindAStandIn() {
        var fallen = history("1-a", "2-b")
        #expect(fallen.wanted(link: "2-b") == "2-b")
        fallen.fell(to: "1-a", insteadOf: "2-b")
        #expect(fallen.wanted(link: "1-a") == "2-b")
        // Moved by hand, or by a release that writes no history.
        #expect(fallen.wanted(link: "7-x") == "7-x")
        #expect(fallen.wanted(link: nil) == "2-b")
        // The channel says what stands in: it is wanted.
        fallen.moved(to: "1-a")
        #expect(fallen.wanted(link: "1-a") == "1-a" && fallen.instead == nil)
        #expect(ServedHistory().wanted(link: nil) == nil)
    }

    /// What the link alone said becomes part of the history.
    @Test func whatWasWantedWithoutAHistoryIsKept() {
        var fallen = ServedHistory()
        fallen.fell(to: "1-a", insteadOf: "2-b")
        #expect(fallen.wanted(link: "1-a") == "2-b")
    }

    @Test func theOrderOfWhatIsTried() {
        let names = ["1-a", "2-b", "3-c", "4-d", "9-i"]
        // 2 and 4 were rolled back, 9 never was served here.
        let history = history("1-a", "2-b", "1-a", "3-c", "4-d", "3-c", "5-e")
        #expect(
            history.candidates(wanted: "5-e", among: names)
                == ["5-e", "3-c", "1-a", "4-d", "2-b", "9-i"])
        // The latest by numbers where nothing is known.
        #expect(
            ServedHistory().candidates(wanted: nil, among: ["2-b", "10-j", "x"])
                == ["10-j", "2-b", "x"])
        // Numbers, not letters; those below what is wanted first, the nearest first.
        #expect(
            ServedHistory().candidates(wanted: "9-i", among: ["10-j", "11-k", "2-b", "8-h", "9-i"])
                == ["9-i", "8-h", "2-b", "10-j", "11-k"])
        // What is wanted is tried even where it does not lie there: that is what has to be said.
        #expect(ServedHistory().candidates(wanted: "9-i", among: []) == ["9-i"])
    }

    @Test func aBackupGivesANumberTwice() {
        #expect(
            history("7-a", "7-b").candidates(wanted: "7-b", among: ["7-a", "7-b", "7-c"])
                == ["7-b", "7-a", "7-c"])
    }

    @Test func itComesBackAsItWasWritten() {
        var written = history("1-a", "2-b")
        #expect(ServedHistory(decoding: written.encoded) == written)
        written.fell(to: "1-a", insteadOf: "2-b")
        #expect(ServedHistory(decoding: written.encoded) == written)
    }

    @Test(arguments: ["", "[]", "{}", #"{"format":2,"served":["1-a"]}"#])
    func whatIsNoHistoryIsAnEmptyOne(_ text: String) {
        #expect(ServedHistory(decoding: Array(text.utf8)) == ServedHistory())
    }

    @Test func itIsBounded() {
        var history = ServedHistory()
        for number in 0..<80 { history.moved(to: "\(number)-a") }
        #expect(history.chain.count == 50 && history.chain.last == "79-a")
    }
}
