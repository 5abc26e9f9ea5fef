import AASADevice
import HTTP
import OpenSSL
import Reactor

/// One generator thread with its share of the devices and its own event loop.
///
/// Arrivals never wait for completions: each turn starts the devices that are due, up to a batch,
/// then handles events. Late starts are recorded as lag.
final class StormWorker {
    /// Arrivals per turn: at 150 µs of processor time each (connection, key share, ClientHello), a
    /// batch delays events by 20 ms at most.
    private static let batch = 128
    /// Events per turn: at 300 µs each (an answered handshake), they delay arrivals by 20 ms at
    /// most. Arrivals have priority if the processor cannot handle both.
    private static let eventsPerTurn = 64
    private static let receiveBytes = 64 * 1024

    let configuration: StormConfiguration
    let progress: StormProgress
    private let number: Int
    private let source: SourceAddresses
    var poller: Poller
    private var slots: SlotTable<StormConnection>
    private var timers = TimerQueue()
    let wire: TLSTransport
    let profiles: [Era: EraProfile]
    /// Nil if the devices ask for something else than the document.
    let verdicts: ContentVerdicts?
    /// Only with HTTP/2.
    let http2Settings: HTTP2ClientSettings?
    let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: StormWorker.receiveBytes, alignment: 16)
    let plaintext = UnsafeMutableRawBufferPointer.allocate(
        byteCount: StormWorker.receiveBytes, alignment: 16)
    private var random: SplitMix
    private var retries = RetryQueue()
    private var nextArrival: Int
    /// The due time of the next device, in nanoseconds on the storm's clock; cached, because the
    /// bell shape is expensive to compute.
    private var nextDue: Int64
    /// One session to resume per era, as versions and protocols differ.
    var resumptions: [Era: TLSResumption] = [:]
    private let start: MonotonicInstant
    private var now: MonotonicInstant
    /// When this thread last had no pending event.
    private var caughtUpAt: MonotonicInstant
    /// How long the events of this turn may have waited, in nanoseconds.
    private var behind: Int64 = 0
    var report = StormReport()

    /// - Parameter start: time zero of the storm on the monotonic clock, the same for all threads.
    init(
        number: Int, configuration: StormConfiguration, progress: StormProgress,
        start: MonotonicInstant
    ) throws {
        self.number = number
        self.configuration = configuration
        self.progress = progress
        self.start = start
        now = start
        caughtUpAt = start
        poller = try Poller(eventsMaximum: Self.eventsPerTurn)
        slots = SlotTable(capacityMaximum: configuration.mostOpen)
        wire = try TLSTransport()
        let library = try TLSLibrary(for: .loadTests)
        var profiles: [Era: EraProfile] = [:]
        for part in configuration.eras.parts {
            profiles[part.era] = try EraProfile(part.era, configuration, library)
        }
        self.profiles = profiles
        verdicts = Self.verdicts(configuration.target)
        http2Settings =
            configuration.http2
            ? try HTTP2ClientSettings(bodyMaximum: StormContent.bytesMaximum)
            : nil
        random = SplitMix(seed: configuration.seed &* 1_000_003 &+ UInt64(number))
        source = SourceAddresses(target: configuration.target.address)
        nextArrival = configuration.part.index + configuration.part.count * number
        nextDue = Self.due(configuration.schedule, nextArrival)
    }

    private static func verdicts(_ target: StormTarget) -> ContentVerdicts? {
        let paths = ["", AssociationPath.wellKnownTarget, AssociationPath.rootTarget]
        guard paths.contains(target.path) else { return nil }
        // As in the handshake: nothing is verified without an authority.
        guard let file = target.authorityFile else {
            return ContentVerdicts(host: target.host) { bytes, _, _ in
                SignedDocument(payload: CMSVerifier.payload(of: bytes) ?? [], problem: nil)
            }
        }
        return ContentVerdicts(
            host: target.host,
            signatures: SignedDocument.reader(authorityFile: file, now: WallClock.seconds))
    }

    private static func due(_ schedule: ArrivalSchedule, _ arrival: Int) -> Int64 {
        arrival < schedule.devices ? Int64(schedule.time(ofArrival: arrival)) : .max
    }

    deinit {
        buffer.deallocate()
        plaintext.deallocate()
    }

    // MARK: - The loop

    /// Runs this thread's devices to their ends.
    func run() throws {
        while true {
            now = .now()
            startDue()
            if slots.count == 0 && allArrived && retries.isEmpty { break }
            if progress.isStopped || storm(now) > Int64(StormConfiguration.longestStorm * 1e9) {
                report.interrupted = true
                break
            }
            let waitBegan = MonotonicInstant.now()
            let count = try poller.waitPrecisely(timeout: timeout)
            now = .now()
            // A thread that slept had no pending event, and woke up with the first one.
            if now - waitBegan > .microseconds(50) { caughtUpAt = now }
            behind = max(0, now.nanoseconds - caughtUpAt.nanoseconds)
            if count < Self.eventsPerTurn { caughtUpAt = now }
            for index in 0..<count {
                let event = poller.event(index)
                guard let connection = slots[SlotToken(rawValue: event.token)] else { continue }
                advance(connection, event.readiness)
            }
            while let slot = timers.popExpired(now: now) {
                if let connection = slots[index: slot] { end(connection, .failed(.timedOut)) }
            }
        }
        report.seconds = Double(storm(MonotonicInstant.now())) / 1e9
        report.generatorCPU = WorkerThread.processorSeconds
    }

    private var allArrived: Bool { nextArrival >= configuration.schedule.devices }

    /// Nanoseconds since the storm started.
    private func storm(_ instant: MonotonicInstant) -> Int64 {
        instant.nanoseconds - start.nanoseconds
    }

    private func startDue() {
        let time = storm(now)
        for _ in 0..<Self.batch {
            if slots.isFull { return }
            if let retry = retries.popDue(at: time) {
                begin(retry.device, due: retry.due, isRetry: true)
                continue
            }
            let due = nextDue
            guard !allArrived, due <= time else { return }
            let index = nextArrival
            nextArrival += configuration.threads * configuration.part.count
            nextDue = Self.due(configuration.schedule, nextArrival)
            progress.started()
            begin(makeDevice(index), due: due, isRetry: false)
        }
    }

    private var timeout: Duration {
        let time = storm(now)
        var next = time + 100_000_000
        // Without a free slot no device can start; an event or a timer frees one.
        if !slots.isFull {
            next = min(next, nextDue)
            if let retry = retries.next { next = min(next, retry.due) }
        }
        var timeout = Duration.nanoseconds(max(0, next - time))
        if let timer = timers.timeout(now: now) { timeout = min(timeout, timer) }
        return timeout
    }

    // MARK: - One device

    /// - Parameter index: its number in the whole storm, the only seed of its random choices.
    private func makeDevice(_ index: Int) -> StormDevice {
        var random = SplitMix(seed: configuration.seed, member: index)
        let era = configuration.eras.draw(using: &random)
        let agents = UInt64(max(1, configuration.userAgents.count))
        let device = StormDevice(
            era: era, userAgent: agents == 1 ? 0 : Int(random.next() % agents),
            patience: configuration.patience.randomElement(using: &random) ?? 60,
            triesMaximum: configuration.tries, asksOnePath: !configuration.target.path.isEmpty)
        report.eras[era, default: DeviceCount()].devices += 1
        return device
    }

    /// Starts a try. The timeline records the actual start: the load on the server.
    private func begin(_ device: StormDevice, due: Int64, isRetry: Bool) {
        report.tries += 1
        var device = device
        let path = device.begin()
        let began = storm(.now())
        let second = Int(began / 1_000_000_000)
        if isRetry {
            report.timeline.retried(atSecond: second)
        } else {
            report.timeline.arrived(atSecond: second)
        }
        let lateness = max(0, began - due)
        ask(device, path, due: due, lateness: lateness)
    }

    /// Opens the connection of one query. The ClientHello is sent at once: on loopback the
    /// connection is established already if the server's queue has room; elsewhere it is sent
    /// later.
    private func ask(_ device: StormDevice, _ path: AssociationPath, due: Int64, lateness: Int64) {
        func fail(_ outcome: DeviceOutcome) {
            finish(outcome, device: device, due: due, lateness: lateness)
        }
        guard let profile = profiles[device.era],
            let session = try? TLSSession(
                context: profile.context, serverName: configuration.target.host,
                resumption: resumptions[device.era])
        else { return fail(.failed(.generator)) }
        do throws(SystemError) {
            let address = configuration.target.address
            var socket = try Socket(for: address)
            socket.disableNagle()
            switch socket.connect(to: address, from: source.next(using: &random)) {
            case .connected, .inProgress: break
            case .failed(let error):
                socket.close()
                return fail(DeviceOutcome(error))
            }
            let raw = socket.release()
            let connection = slots.insert {
                StormConnection(
                    token: $0, socket: Socket(owning: raw), session: session, due: due,
                    lateness: lateness, device: device, path: path)
            }
            guard let connection else {
                var orphan = Socket(owning: raw)
                orphan.close()
                throw SystemError.outOfDescriptors("slots")
            }
            let patience = Int64(connection.device.patience * 1e9)
            timers.set(connection.token.index, now.advanced(byNanoseconds: patience))
            // The hello first: if it was sent, no wake-up for writability is needed.
            // Edge-triggered: what arrived until then is reported at once.
            if continueHandshake(connection) { watch(connection) }
        } catch { fail(DeviceOutcome(error)) }
    }

    /// Usually one registration is enough for the whole connection.
    private func watch(_ connection: StormConnection) {
        connection.isWatched = true
        connection.isWatchedForWriting = !connection.unsent.isEmpty
        do throws(SystemError) {
            try poller.add(
                connection.socket.raw, connection.isWatchedForWriting ? .edgeReadWrite : .edgeRead,
                token: connection.token.rawValue)
        } catch { end(connection, DeviceOutcome(error)) }
    }

    /// The socket accepted only a part: request events for writability.
    func watchForWriting(_ connection: StormConnection) {
        if connection.isWatchedForWriting || !connection.isWatched { return }
        connection.isWatchedForWriting = true
        try? poller.modify(
            connection.socket.raw, .edgeReadWrite, token: connection.token.rawValue)
    }

    // MARK: - Ends

    func end(_ connection: StormConnection, _ outcome: DeviceOutcome) {
        guard slots.remove(connection.token) != nil else { return }
        timers.clear(connection.token.index)
        connection.socket.close()
        let status = connection.exchange?.status
        var outcome = outcome
        if outcome == .associated, let verdicts, let exchange = connection.exchange {
            outcome = verdicts.outcome(
                of: exchange.content.bytes,
                ContentVerdicts.Question(
                    era: connection.device.era, type: exchange.type, codings: exchange.codings))
        }
        if let status { report.statuses[status, default: 0] += 1 }
        finish(
            outcome, status ?? 0, device: connection.device, due: connection.due,
            lateness: max(connection.lateness, behind))
    }

    /// - Parameter lateness: nanoseconds by which this thread was late, in starting the device or
    ///   in handling its event.
    private func finish(
        _ outcome: DeviceOutcome, _ status: Int = 0, device: StormDevice, due: Int64,
        lateness: Int64
    ) {
        var device = device
        let chance = device.canTryAgain ? Double.random(in: 0..<1, using: &random) : 0
        let step = device.answered(outcome, status: status, chance: chance)
        if case .ask(let path) = step { return ask(device, path, due: due, lateness: lateness) }
        report.lag.record(nanoseconds: UInt64(lateness))
        report.timeline.lagged(lateness, atSecond: Int(due / 1_000_000_000))
        // The current time, not the start of the turn: a turn with many answers is long.
        let time = storm(.now())
        let latency = UInt64(max(0, time - due))
        switch outcome {
        case .associated: report.associatedLatency.record(nanoseconds: latency)
        case .willRetry: report.unavailableLatency.record(nanoseconds: latency)
        case .denied, .failed: break
        }
        report.timeline.ended(outcome, atSecond: Int(time / 1_000_000_000))
        if case .wait(let seconds) = step {
            let delay = Double(seconds) / StormConfiguration.retryScale * 1e9
            retries.insert(.init(due: time + Int64(delay), device: device))
            return
        }
        let end: DeviceOutcome = if case .ended(let last) = step { last } else { outcome }
        report.ended(end, device.era)
        progress.ended(end)
    }
}
