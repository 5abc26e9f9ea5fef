/// Windows of time, and the last storm: what an operator wants to see who opens the status page
/// after the event.
extension LoadMonitor {
    /// What happened between two samples.
    package struct Window: Sendable {
        let first: LoadSample
        package let last: LoadSample

        private var seconds: Double { max(0.001, last.time - first.time) }

        private func grown(_ value: (LoadSample) -> Double) -> Double {
            max(0, value(last) - value(first))
        }

        /// What a sum has grown by.
        func sum(_ value: (LoadSample) -> UInt64) -> UInt64 {
            let (before, now) = (value(first), value(last))
            return now > before ? now - before : 0
        }

        /// What a sum has grown by in a second.
        package func rate(_ value: (LoadSample) -> UInt64) -> UInt64 {
            UInt64((Double(sum(value)) / seconds).rounded())
        }

        /// Handshakes per second.
        var handshakes: Double { Double(sum(\.traffic.handshakes)) / seconds }
        /// Processor time used per second: 1 is one core.
        var processors: Double { grown(\.traffic.processorSeconds) / seconds }
        /// Share of the time in which something on the machine waited for a processor.
        var stalled: Double { min(1, grown(\.machine.stalledSeconds) / seconds) }
        /// Share of the time that the hypervisor took. Either figure may be counted backwards, as
        /// behind a move to another machine.
        var stolen: Double {
            let ticks = sum(\.machine.allTicks)
            return ticks == 0 ? 0 : min(1, Double(sum(\.machine.stolenTicks)) / Double(ticks))
        }

        var left: UInt64 { sum(\.traffic.gaveUp) }
        var shed: UInt64 { sum(\.traffic.shed) }
        /// By reason; a sum that was never above zero has no key.
        var cut: [String: UInt64] {
            last.traffic.cutByReason.merging(first.traffic.cutByReason) { $0 > $1 ? $0 - $1 : 0 }
                .filter { $0.value > 0 }
        }
        /// A 503 is an answer on the wire, but the client did not get its document.
        var answered: UInt64 {
            let served = sum(\.traffic.served)
            return served > shed ? served - shed : 0
        }
        /// Clients that got no answer, as they left or were cut.
        var lost: UInt64 { left + sum(\.traffic.cut) }
        /// Connections whose outcome is known: answered, shed, left or cut.
        var decided: UInt64 { answered + shed + lost }
        /// 0…1; 1 where no client came.
        var share: Double { decided == 0 ? 1 : Double(answered) / Double(decided) }
        /// Mean over the clients whose handshake began.
        var waitedSeconds: Double {
            let count = sum(\.waitedCount)
            return count == 0 ? 0 : grown(\.waitedSeconds) / Double(count)
        }
    }

    /// What happened while a resource ran out, clients were turned away, or many more came than
    /// usual: at least 50 a second, and eight times as many as on average before.
    package struct Storm: Sendable {
        /// Seconds since 1970.
        let began: Int64
        var lastSeen: Int64
        var isOver = false
        /// All its seconds together.
        var whole: Window
        /// The most of one second.
        var mostAnswered: UInt64 = 0
        var mostAccepted: UInt64 = 0
        var mostOpen: UInt64 = 0
        var mostWaiting: UInt64 = 0

        /// A storm that begins with this second.
        init(_ second: Window) {
            began = second.last.second
            lastSeen = began
            whole = second
            add(second)
        }

        mutating func add(_ second: Window) {
            whole = Window(first: whole.first, last: second.last)
            mostAnswered = max(mostAnswered, second.rate(\.traffic.answered))
            mostAccepted = max(mostAccepted, second.rate(\.traffic.accepted))
            mostOpen = max(mostOpen, second.last.connections.open)
            mostWaiting = max(mostWaiting, second.last.connections.waiting)
        }
    }

    /// 900 seconds. A sample has about 200 bytes, and 600 once clients were shed and cut.
    static let pointsMaximum = 900
    static let stormPerSecond: Double = 50
    static let stormFactor: Double = 8
    /// A storm is over after so long without a sign of one.
    static let stormCalmSeconds: Int64 = 30
    /// In the first seconds after the start the usual rate is not known.
    static let warmUpSeconds = 10
}
