import AASADevice
import Testing

@Suite struct WatcherConnectivityTests {
    @Test func tellsOnceThatItIsCutOffItself() {
        var reach = WatcherConnectivity(hosts: 100)
        var told: [WatchChange.Kind] = []
        var counted = 0
        for round in 0..<3 {
            for host in 0..<100 {
                let (news, counts) = reach.take("h\(host)", .nothing, now: Int64(round * 300))
                if let news { told.append(news.kind) }
                if counts { counted += 1 }
            }
        }
        #expect(told == [.problem])
        #expect(reach.isCutOff)
        // The first few could have been dead by themselves.
        #expect(counted == 7)
        let (news, counts) = reach.take("h1", .document, now: 1000)
        #expect(news?.kind == .resolved)
        #expect(news?.seconds == 1000)
        #expect(counts && !reach.isCutOff)
    }

    @Test func doesNotMistakeDeadHostsForItself() {
        var reach = WatcherConnectivity(hosts: 100)
        for round in 0..<50 {
            // Five dead ones among the living.
            for host in 0..<100 {
                let depth: WatchObservation.Depth = host % 20 == 0 ? .nothing : .tls
                let (news, counts) = reach.take("h\(host)", depth, now: Int64(round))
                #expect(news == nil && counts)
            }
        }
        // Twenty dead ones that stand together in the list: at the first round nobody can tell
        // them from a watcher that is cut off; from then on they are dead by themselves.
        var block = WatcherConnectivity(hosts: 100)
        var told: [String] = []
        var uncounted = 0
        for round in 0..<10 {
            for host in 0..<100 {
                let depth: WatchObservation.Depth = host < 20 ? .nothing : .document
                let (news, counts) = block.take("h\(host)", depth, now: Int64(round))
                if let news { told.append("\(round) \(news.kind.rawValue)") }
                if !counts { uncounted += 1 }
            }
        }
        #expect(told == ["0 problem", "0 resolved"])
        #expect(uncounted == 13)
        // And then the watcher's own line is cut: that is still seen.
        for host in 20..<40 {
            let (news, _) = block.take("h\(host)", .nothing, now: 100)
            if let news { told.append("\(host) \(news.kind.rawValue)") }
        }
        #expect(told.last == "27 problem" && block.isCutOff)
        #expect(!block.take("h1", .nothing, now: 101).counts)
        // With three hosts nobody can tell.
        var few = WatcherConnectivity(hosts: 3)
        for look in 0..<20 {
            #expect(few.take("h\(look % 3)", .nothing, now: Int64(look)).counts)
        }
        // One host again and again is one host.
        var one = WatcherConnectivity(hosts: 10)
        for look in 0..<20 { #expect(one.take("h", .nothing, now: Int64(look)).counts) }
    }

    private static func cutOff(hosts: Int, reachable: Int) -> Int? {
        var reach = WatcherConnectivity(hosts: hosts)
        for host in 0..<reachable { _ = reach.take("h\(host)", .connection, now: 0) }
        for host in 0..<hosts {
            let (news, counts) = reach.take("h\(host)", .nothing, now: Int64(host))
            if news != nil {
                // The look that tells it says nothing about its host any more.
                #expect(!counts)
                return host + 1
            }
        }
        return nil
    }

    /// As many silent hosts as were reached, eight at most and four at least.
    @Test func knowsHowManySilentHostsAreTooMany() {
        #expect(Self.cutOff(hosts: 3, reachable: 3) == nil)
        #expect(Self.cutOff(hosts: 4, reachable: 4) == 4)
        #expect(Self.cutOff(hosts: 4, reachable: 0) == 4)
        #expect(Self.cutOff(hosts: 7, reachable: 7) == 7)
        #expect(Self.cutOff(hosts: 8, reachable: 8) == 8)
        #expect(Self.cutOff(hosts: 20, reachable: 20) == 8)
        // Three that were reached are too few to tell.
        #expect(Self.cutOff(hosts: 20, reachable: 3) == nil)
        #expect(Self.cutOff(hosts: 20, reachable: 4) == 4)
    }

    /// One host that can be connected to, in between: the count begins anew, and with it the time.
    @Test func beginsAnewAfterAConnection() {
        var reach = WatcherConnectivity(hosts: 5)
        for host in 0..<5 { _ = reach.take("h\(host)", .document, now: 0) }
        for host in 0..<4 { #expect(reach.take("h\(host)", .nothing, now: 10).news == nil) }
        _ = reach.take("h4", .connection, now: 20)
        // The four are dead by themselves now, and one is left.
        for host in 0..<4 { #expect(reach.take("h\(host)", .nothing, now: 30).news == nil) }
        for host in 0..<4 { _ = reach.take("h\(host)", .tls, now: 40) }
        var news: WatchChange?
        for host in 0..<5 { news = reach.take("h\(host)", .nothing, now: 50 + Int64(host)).news }
        #expect(news?.since == 50 && news?.time == 54)
        #expect(news?.host == "*" && news?.code == "watch-cut-off")
        #expect(news?.message.contains("none of 5 hosts") == true)
    }
}
