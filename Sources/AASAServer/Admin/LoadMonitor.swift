/// Whether the server keeps up with its clients, which resource runs out if not, and what the last
/// quarter of an hour was like. A value: it takes a sample once a second and reads no clock.
package struct LoadMonitor: Sendable {
    /// The resource that runs out.
    package enum Cause: String, Sendable, CaseIterable {
        /// This process uses all the processor it can get.
        case processor
        /// Other processes on the machine, or the hypervisor, take the processor.
        case starved
        case link
        case memory
        case descriptors
        /// The operator's own limit (`--budget`).
        case budget

        package var remedy: String {
            switch self {
            case .processor:
                "add cores or a second machine, and use ECDSA certificates: RSA costs over twice as much (deploy/RELEASE-DAY.md)"
            case .starved:
                "find what else uses the CPU (top, steal): move it, or raise this service's CPUWeight"
            case .link: "use a smaller document, a faster link, or a second machine"
            case .memory: "raise the memory limit, or lower --max-connections"
            case .descriptors: "raise LimitNOFILE and --max-connections, or add a machine"
            case .budget: "raise --budget if the machine has room"
            }
        }
    }

    /// The figures of a window of some seconds.
    package struct Window: Sendable, Equatable {
        /// Connections whose outcome is known: answered, shed, left or cut.
        package var decided: UInt64 = 0
        package var answered: UInt64 = 0
        package var left: UInt64 = 0
        package var cut: [String: UInt64] = [:]
        package var shed: UInt64 = 0
        /// Mean over the clients whose handshake began.
        package var waitedSeconds: Double = 0

        /// 0…1; 1 where no client came.
        package var share: Double {
            decided == 0 ? 1 : Double(answered) / Double(decided)
        }
    }

    package struct Overload: Sendable, Equatable {
        package var cause: Cause
        /// Seconds since 1970.
        package var since: Int64
        /// One sentence with the figures.
        package var text: String
    }

    /// Windows of ten seconds and of one minute.
    package private(set) var lately = Window()
    package private(set) var minute = Window()
    package private(set) var overload: Overload?
    /// Set while many clients leave although no resource runs out here.
    package private(set) var peerProblem: String?
    /// Shares of ten seconds: the time in which something on the machine waited for a processor,
    /// and the time that the hypervisor took.
    package private(set) var stalled: Double = 0
    package private(set) var stolen: Double = 0
    /// The last quarter of an hour, second by second.
    package private(set) var points: [Point] = []
    /// The storm that is on, or the last one.
    package private(set) var storm: Storm?

    /// New connections per second in calm times: a moving average over about five minutes.
    private var usualPerSecond: Double = 0
    private var calmPoints = 0
    private var samples: [LoadSample] = []
    private var calmSince: Double?
    private var evidence = 0

    /// An overload is over after so long without a sign of one. The longest patience of a phone is
    /// shorter, so a lull between two waves does not end the overload.
    static let calmSeconds: Double = 20
    /// With a longer wait clients begin to leave: their patience is seconds.
    static let waitMaximum: Double = 2
    /// Fewer lost clients in ten seconds than this are ordinary failures of mobile networks.
    static let lostMinimum: UInt64 = 5
    /// A smaller share of lost clients than this is ordinary, too: phones in tunnels.
    static let lostShare = 0.05

    /// - Parameter now: seconds since 1970.
    package mutating func take(_ sample: LoadSample, now: Int64) {
        samples.append(sample)
        while samples.count > 1, sample.time - samples[1].time >= 60 { samples.removeFirst() }
        guard let first = samples.first, let previous = samples.dropLast().last else { return }
        let recent = samples.last { sample.time - $0.time >= 10 } ?? first
        lately = Self.window(from: recent, to: sample)
        minute = Self.window(from: first, to: sample)
        let elapsed = max(0.001, sample.time - recent.time)
        stalled = min(
            1, max(0, sample.machine.stalledSeconds - recent.machine.stalledSeconds) / elapsed)
        let ticks = sample.machine.allTicks &- recent.machine.allTicks
        let taken = sample.machine.stolenTicks &- recent.machine.stolenTicks
        // Either may be counted backwards, as behind a move to another machine.
        stolen = ticks == 0 || ticks > 1 << 40 || taken > ticks ? 0 : Double(taken) / Double(ticks)
        judge(from: recent, to: sample, now)
        note(Point(from: previous, to: sample, second: now))
    }

    private mutating func note(_ point: Point) {
        if points.count == Self.pointsMaximum { points.removeFirst() }
        points.append(point)
        let accepted = Double(point.accepted)
        let isWild =
            overload != nil && calmSince == nil || point.shed > 0
            || calmPoints >= Self.warmUpSeconds
                && accepted >= max(Self.stormPerSecond, usualPerSecond * Self.stormFactor)
        if var current = storm, !current.isOver {
            if isWild { current.lastSeen = point.second }
            current.isOver = point.second - current.lastSeen > Self.stormCalmSeconds
            if !current.isOver { current.add(point) }
            storm = current
        } else if isWild {
            storm = Storm(
                began: point.second, lastSeen: point.second, sum: point, peak: point)
        } else {
            calmPoints = min(calmPoints + 1, 300)
            usualPerSecond += (accepted - usualPerSecond) / Double(calmPoints)
        }
    }

    static func window(from first: LoadSample, to last: LoadSample) -> Window {
        var window = Window()
        window.left = last.traffic.gaveUp &- first.traffic.gaveUp
        let before = first.traffic.cutByReason
        for (reason, count) in last.traffic.cutByReason where count > before[reason] ?? 0 {
            window.cut[reason] = count - (before[reason] ?? 0)
        }
        let shed = last.traffic.shed &- first.traffic.shed
        let served = last.traffic.served &- first.traffic.served
        window.shed = shed
        // A 503 is an answer on the wire, but the client did not get its document.
        window.answered = served > shed ? served - shed : 0
        window.decided =
            window.answered + shed + window.left + window.cut.values.reduce(0, &+)
        let count = last.waitedCount &- first.waitedCount
        window.waitedSeconds =
            count == 0 ? 0 : (last.waitedSeconds - first.waitedSeconds) / Double(count)
        return window
    }

    private mutating func judge(
        from first: LoadSample, to last: LoadSample, _ now: Int64
    ) {
        let elapsed = max(0.001, last.time - first.time)
        let rate = Double(last.traffic.handshakes &- first.traffic.handshakes) / elapsed
        // How long the last client in the queue will wait, by Little's law.
        let waiting = last.connections.waiting
        let expected = Double(waiting) / max(rate, 0.5)
        let wait = max(expected, waiting > 0 ? lately.waitedSeconds : 0)
        let lost = lately.left + lately.cut.values.reduce(0, &+)
        let losesMany =
            lost >= Self.lostMinimum && Double(lost) >= Self.lostShare * Double(lately.decided)
        let used =
            (last.traffic.processorSeconds - first.traffic.processorSeconds) / elapsed
        let cause = cause(first, last, used: used, waits: wait >= Self.waitMaximum, losesMany)
        peerProblem =
            cause == nil && overload == nil && losesMany
            ? "\(lost) of \(lately.decided) clients got no answer in the last 10 s, and no resource of this machine is exhausted: check the network to the clients (cause: peer)"
            : nil
        // An overload needs two samples in a row: a single second may be an accident of the clock.
        evidence = cause == nil ? 0 : evidence + 1
        if let cause, evidence >= 2 || overload != nil {
            calmSince = nil
            overload = Overload(
                cause: cause, since: overload?.since ?? now,
                text: text(cause, wait: wait, used: used, last))
        } else if cause == nil, overload != nil {
            let since = calmSince ?? last.time
            calmSince = since
            if last.time - since >= Self.calmSeconds { overload = nil }
        }
    }

    /// The resource that runs out, or nil. While nothing runs out, clients that leave have reasons
    /// of their own.
    private func cause(
        _ first: LoadSample, _ last: LoadSample, used: Double, waits: Bool, _ losesMany: Bool
    ) -> Cause? {
        func shed(_ cause: String) -> UInt64 {
            (last.traffic.shedByCause[cause] ?? 0) &- (first.traffic.shedByCause[cause] ?? 0)
        }
        if shed("memory") > 0 || last.memoryPauses != first.memoryPauses { return .memory }
        if last.acceptPauses != first.acceptPauses || (lately.cut["descriptor_pressure"] ?? 0) > 0 {
            return .descriptors
        }
        if shed("link") > 0 { return .link }
        if shed("budget") > 0 { return .budget }
        guard waits || losesMany || shed("age") > 0 else { return nil }
        let share = used / Double(last.processors)
        let isStarved = stolen >= 0.1 || stalled >= 0.3
        if share >= 0.8 { return .processor }
        if isStarved { return .starved }
        if waits { return .processor }
        return nil
    }

    private func text(
        _ cause: Cause, wait: Double, used: Double, _ last: LoadSample
    ) -> String {
        var parts: [String] = []
        if lately.decided > 0 {
            parts.append("\(Self.percent(lately.share)) of \(lately.decided) clients answered")
        }
        if lately.left > 0 { parts.append("\(lately.left) left before an answer") }
        for (reason, count) in lately.cut.sorted(by: { $0.key < $1.key }) {
            parts.append("\(count) cut (\(reason))")
        }
        if lately.shed > 0 { parts.append("\(lately.shed) got 503") }
        let waiting = last.connections.waiting
        if waiting > 0 {
            parts.append("\(waiting) waiting, for up to about \(Self.tenths(wait)) s")
        }
        parts.append(
            "\(Self.tenths(used)) of \(last.processors) CPUs used"
                + (stalled >= 0.1 ? ", \(Self.percent(stalled)) stalled" : "")
                + (stolen >= 0.01 ? ", \(Self.percent(stolen)) stolen" : ""))
        return "overload (\(cause.rawValue)): in the last 10 s " + parts.joined(separator: ", ")
            + "; \(cause.remedy)"
    }

    static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

    static func tenths(_ value: Double) -> String {
        let tenths = Int((max(0, min(value, 1e6)) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
