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

        /// The message has the name of the cause.
        package var remedy: String {
            Message.Name(rawValue: rawValue).map { Message($0).text } ?? ""
        }
    }

    package struct Overload: Sendable, Equatable {
        package var cause: Cause
        /// Seconds since 1970.
        package var since: Int64
        /// One sentence with the figures.
        package var text: String
    }

    package private(set) var overload: Overload?
    /// Set while many clients leave although no resource runs out here.
    package private(set) var peerProblem: String?
    /// The storm that is on, or the last one.
    package private(set) var storm: Storm?

    /// New connections per second in calm times: a moving average over about five minutes.
    private var usualPerSecond: Double = 0
    private var calmPoints = 0
    /// Of the last quarter of an hour.
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

    package var lastSecond: Window { window(0) }
    package var lately: Window { window(10) }
    package var minute: Window { window(60) }

    /// The last quarter of an hour, second by second.
    package var points: [Window] {
        zip(samples, samples.dropFirst()).map { Window(first: $0, last: $1) }
    }

    /// What happened in the last seconds; less where there are no older samples.
    private func window(_ seconds: Double) -> Window {
        let last = samples.last ?? LoadSample(time: 0)
        let first = samples.dropLast().last { last.time - $0.time >= seconds } ?? samples.first
        return Window(first: first ?? last, last: last)
    }

    /// - Parameter now: seconds since 1970.
    package mutating func take(_ sample: LoadSample, now: Int64) {
        if samples.count > Self.pointsMaximum { samples.removeFirst() }
        samples.append(sample)
        samples[samples.count - 1].second = now
        guard samples.count > 1 else { return }
        judge(lately, now)
        note(lastSecond)
    }

    private mutating func note(_ second: Window) {
        let now = second.last.second
        let accepted = Double(second.rate(\.traffic.accepted))
        let isWild =
            overload != nil && calmSince == nil || second.rate(\.traffic.shed) > 0
            || calmPoints >= Self.warmUpSeconds
                && accepted >= max(Self.stormPerSecond, usualPerSecond * Self.stormFactor)
        if var current = storm, !current.isOver {
            if isWild { current.lastSeen = now }
            current.isOver = now - current.lastSeen > Self.stormCalmSeconds
            if !current.isOver { current.add(second) }
            storm = current
        } else if isWild {
            storm = Storm(second)
        } else {
            calmPoints = min(calmPoints + 1, 300)
            usualPerSecond += (accepted - usualPerSecond) / Double(calmPoints)
        }
    }

    private mutating func judge(_ lately: Window, _ now: Int64) {
        let last = lately.last
        // How long the last client in the queue will wait, by Little's law.
        let waiting = last.connections.waiting
        let expected = Double(waiting) / max(lately.handshakes, 0.5)
        let wait = max(expected, waiting > 0 ? lately.waitedSeconds : 0)
        let (lost, decided) = (lately.lost, lately.decided)
        let losesMany =
            lost >= Self.lostMinimum && Double(lost) >= Self.lostShare * Double(decided)
        let cause = Self.cause(lately, waits: wait >= Self.waitMaximum, losesMany)
        peerProblem =
            cause == nil && overload == nil && losesMany
            ? Message(.peer, ["\(lost)", "\(decided)"]).text : nil
        // An overload needs two samples in a row: a single second may be an accident of the clock.
        evidence = cause == nil ? 0 : evidence + 1
        if let cause, evidence >= 2 || overload != nil {
            calmSince = nil
            overload = Overload(
                cause: cause, since: overload?.since ?? now,
                text: Self.text(cause, wait: wait, lately))
        } else if cause == nil, overload != nil {
            let since = calmSince ?? last.time
            calmSince = since
            if last.time - since >= Self.calmSeconds { overload = nil }
        }
    }

    /// The resource that runs out, or nil. While nothing runs out, clients that leave have reasons
    /// of their own.
    private static func cause(_ lately: Window, waits: Bool, _ losesMany: Bool) -> Cause? {
        func shed(_ cause: String) -> Bool {
            lately.sum { $0.traffic.shedByCause[cause] ?? 0 } > 0
        }
        if shed("memory") || lately.sum(\.memoryPauses) > 0 { return .memory }
        if lately.sum(\.acceptPauses) > 0 || lately.cut["descriptor_pressure"] != nil {
            return .descriptors
        }
        if shed("link") { return .link }
        if shed("budget") { return .budget }
        guard waits || losesMany || shed("age") else { return nil }
        if lately.processors / Double(lately.last.processors) >= 0.8 { return .processor }
        if lately.stolen >= 0.1 || lately.stalled >= 0.3 { return .starved }
        return waits ? .processor : nil
    }

    private static func text(_ cause: Cause, wait: Double, _ lately: Window) -> String {
        var parts: [String] = []
        if lately.decided > 0 {
            parts.append("\(percent(lately.share)) of \(lately.decided) clients answered")
        }
        if lately.left > 0 { parts.append("\(lately.left) left before an answer") }
        for (reason, count) in lately.cut.sorted(by: { $0.key < $1.key }) {
            parts.append("\(count) cut (\(reason))")
        }
        if lately.shed > 0 { parts.append("\(lately.shed) got 503") }
        let waiting = lately.last.connections.waiting
        if waiting > 0 { parts.append("\(waiting) waiting, for up to about \(tenths(wait)) s") }
        parts.append(
            "\(tenths(lately.processors)) of \(lately.last.processors) CPUs used"
                + (lately.stalled >= 0.1 ? ", \(percent(lately.stalled)) stalled" : "")
                + (lately.stolen >= 0.01 ? ", \(percent(lately.stolen)) stolen" : ""))
        return "overload (\(cause.rawValue)): in the last 10 s " + parts.joined(separator: ", ")
            + "; \(cause.remedy)"
    }

    static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

    static func tenths(_ value: Double) -> String {
        let tenths = Int((max(0, min(value, 1e6)) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
