import AASADevice
import AASAStorm
import ArgumentParser
import OpenSSL
import Reactor

/// `aasa storm demo`: when does it answer 503, and why not earlier?
struct StormDemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Show what an overloaded server does, beside a plain queue, on this machine.",
        discussion: """
            Starts small servers of its own on loopback and plays the same storm against aasa and \
            against a plain queue, once for each thing that can be short: the processor (a server \
            that gets a fifth of one), the link (a pipe of a megabyte a second), and the \
            operator's budget. It needs no privilege, takes about a minute, and leaves nothing \
            behind.

            Exit status: 0 as it should be, 1 it was not (a machine that is busy with something \
            else), 3 could not run.
            """)

    @Option(
        help: ArgumentHelp(
            "Play only this: \(StormDemo.Shortage.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "what"))
    var only: [StormDemo.Shortage] = []

    @Option(
        help: ArgumentHelp("The seconds over which devices arrive.", valueName: "seconds"))
    var over: Double = 10

    @Option(
        help: ArgumentHelp(
            "How many times as many devices come as can be answered.", valueName: "factor"))
    var times: Double = 5

    @Option(help: "text or json, on stdout.")
    var format: StormFormat = .text

    @Option(
        help: ArgumentHelp("Write the report as a self-contained page, too.", valueName: "file"))
    var html: String?

    func validate() throws {
        guard (1...60).contains(over) else {
            throw ValidationError("--over: 1 to 60 seconds")
        }
        guard (1.5...20).contains(times) else {
            throw ValidationError("--times: 1.5 to 20")
        }
    }

    func run() throws {
        if let html { try FileReplacement.check(html) }
        ProcessLimits.ignoreFailingWrites()
        let signals = try? Signals(blocking: Signals.ending)
        let folder = try TrialFolder()
        defer { folder.remove() }
        let stage = DemoStage(folder: folder.path, over: over, times: times) {
            signals?.next() != nil
        }
        let startedAt = WallClock.seconds
        var demo = StormDemo(acts: [])
        demo.startedAt = startedAt
        for shortage in StormDemo.Shortage.allCases
        where only.isEmpty || only.contains(shortage) {
            Terminal.note("playing: \(shortage.title.lowercased()) …")
            guard let act = try stage.play(shortage) else {
                throw CommandError("interrupted", status: .couldNotRun)
            }
            demo.acts.append(act)
        }
        Terminal.write(Array((format == .json ? demo.json : demo.text).utf8))
        if let html {
            try FileReplacement.replace(html, with: Array(demo.html.utf8), mode: .exactly(0o644))
        }
        if !demo.isAsExpected { throw ExitStatus.findings }
        if !demo.hadTime { throw ExitStatus.couldNotRun }
    }
}

extension StormDemo.Shortage: ExpressibleByArgument {}

/// Plays one storm after the other, each twice.
struct DemoStage {
    let folder: String
    let over: Double
    let times: Double
    /// Whether the user wants it to end.
    let mustEnd: () -> Bool

    /// Phones leave after some seconds; a document on a full link takes up to five of them.
    private static let patience = 5.0
    private static let linkPatience = 10.0
    /// Of 20 ms; with a handshake of 2 ms this is a server of some 70 handshakes per second, which
    /// leaves the machine to the devices.
    private static let processorShare: Duration = .milliseconds(4)
    private static let processorPeriod: Duration = .milliseconds(20)
    /// Far more than that server can do.
    private static let measuringRate = 250
    private static let measuringSeconds = 3.0
    /// A megabyte a second carries eight documents of 115 KB.
    private static let linkBytesPerSecond = 1_000_000
    private static let largeDocumentBytes = 115_000
    private static let smallDocumentBytes = 300
    private static let budget = 40

    /// - Returns: nil where the user has ended it.
    func play(_ shortage: StormDemo.Shortage) throws -> StormDemo.Act? {
        let place = "\(folder)/\(shortage.rawValue)"
        switch shortage {
        case .processor: return try playProcessor(place)
        case .link: return try playLink(place)
        case .budget: return try playBudget(place)
        }
    }

    private func playProcessor(_ place: String) throws -> StormDemo.Act? {
        try DemoSite.make(
            in: place, documentBytes: Self.smallDocumentBytes, key: .rsa(bits: 4096))
        let measured = try measure(place)
        // What it answers while far more ask: the first second is its start.
        let peak = measured.timeline.seconds.dropFirst().map(\.associated).max() ?? 0
        let capacity = Double(max(peak, 5))
        let plan = plan(capacity, Self.patience)
        if measured.interrupted { return nil }
        // Both at once: whatever else this machine does is done to both.
        return try playBoth(
            .processor, capacity, plan, place, aasa: ([], nil), plain: ([], nil),
            isProcessorLimited: true)
    }

    /// A storm of far more than a server with so little processor can do.
    private func measure(_ place: String) throws -> StormReport {
        let server = try DemoServer(folder: place, name: "peak")
        defer { server.stop() }
        try server.limitProcessor(run: Self.processorShare, of: Self.processorPeriod)
        let plan = Plan(
            devices: Self.measuringRate * Int(Self.measuringSeconds),
            seconds: Self.measuringSeconds, patience: Self.measuringSeconds)
        return try plan.run(server.address, place, mustEnd)
    }

    private func playLink(_ place: String) throws -> StormDemo.Act? {
        try DemoSite.make(in: place, documentBytes: Self.largeDocumentBytes, key: .ecdsaP256)
        let capacity = Double(Self.linkBytesPerSecond) / Double(Self.largeDocumentBytes)
        let limits = ThrottledLink.Limits(bytesPerSecond: Self.linkBytesPerSecond)
        return try playBoth(
            .link, capacity, plan(capacity, Self.linkPatience), place, aasa: ([], limits),
            plain: ([], limits))
    }

    private func playBudget(_ place: String) throws -> StormDemo.Act? {
        try DemoSite.make(in: place, documentBytes: Self.smallDocumentBytes, key: .ecdsaP256)
        return try playBoth(
            .budget, Double(Self.budget), plan(Double(Self.budget), Self.patience), place,
            aasa: (["--budget", "\(Self.budget)"], nil),
            plain: ([], .init(connectionsPerSecond: Self.budget)))
    }

    private func plan(_ capacity: Double, _ patience: Double) -> Plan {
        Plan(devices: Int(capacity * times * over), seconds: over, patience: patience)
    }

    private typealias Setting = (options: [String], link: ThrottledLink.Limits?)

    /// Both at once: these servers have next to nothing to do, or little to do it with.
    private func playBoth(
        _ shortage: StormDemo.Shortage, _ capacity: Double, _ plan: Plan, _ place: String,
        aasa: Setting, plain: Setting, isProcessorLimited: Bool = false
    ) throws -> StormDemo.Act? {
        var servers: [DemoServer] = []
        var links: [ThrottledLink] = []
        defer {
            for link in links { link.stop() }
            for server in servers { server.stop() }
        }
        var targets: [SocketAddress] = []
        for (name, setting) in [("aasa", aasa), ("plain", plain)] {
            let server = try DemoServer(
                folder: place, name: name, options: setting.options,
                isPlainQueue: name == "plain")
            servers.append(server)
            if isProcessorLimited {
                try server.limitProcessor(run: Self.processorShare, of: Self.processorPeriod)
            }
            if let limits = setting.link {
                let link = try ThrottledLink(to: server.address, limits)
                links.append(link)
                targets.append(link.address)
            } else {
                targets.append(server.address)
            }
        }
        let reports = try plan.run(targets, place, mustEnd)
        guard reports.count == 2, !reports.contains(where: \.interrupted) else { return nil }
        return StormDemo.Act(
            shortage: shortage, capacity: capacity, aasa: reports[0], plain: reports[1])
    }
}

/// One storm of the demo.
private struct Plan {
    let devices: Int
    let seconds: Double
    let patience: Double

    func run(
        _ target: SocketAddress, _ place: String, _ mustEnd: () -> Bool
    ) throws -> StormReport {
        guard let report = try run([target], place, mustEnd).first else {
            throw CommandError("the storm has no report")
        }
        return report
    }

    /// The same storm against each target, at the same time.
    func run(
        _ targets: [SocketAddress], _ place: String, _ mustEnd: () -> Bool
    ) throws -> [StormReport] {
        let limit = (try? ProcessLimits.raiseDescriptorLimit()) ?? 1024
        let progress = StormProgress()
        let stages = targets.map { _ in Lock<Result<StormReport, any Error>?>(nil) }
        var threads: [WorkerThread] = []
        for (target, stage) in zip(targets, stages) {
            var configuration = StormConfiguration(
                target: StormTarget(host: DemoSite.host, address: target, path: ""),
                schedule: ArrivalSchedule(shape: .constant, devices: devices, seconds: seconds),
                patience: [patience])
            configuration.threads = 1
            // What the devices cost must not be what the servers lack.
            configuration.mostOpen = max(64, (limit - 64) / (2 * targets.count))
            let storm = Storm(configuration)
            threads.append(
                try WorkerThread(name: "storm-demo") {
                    let result = Result { try storm.run(progress: progress) }
                    stage.withLock { $0 = result }
                })
        }
        while stages.contains(where: { $0.withLock { $0 == nil } }) {
            if mustEnd() { progress.stop() }
            CurrentProcess.sleep(.milliseconds(50))
        }
        for thread in threads { thread.join() }
        return try stages.compactMap { try $0.withLock { try $0?.get() } }
    }
}
