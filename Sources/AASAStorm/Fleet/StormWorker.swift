import Glibc
import HTTP
import OpenSSL
import Reactor

/// One generator thread: its share of the devices, its own event loop.
///
/// Arrivals never wait for completions: each turn starts whatever is due, up to a batch, then
/// serves events. What a turn starts late is recorded as lag, not hidden.
final class StormWorker {
    /// Arrivals per turn: at 100 µs of processor each, a batch delays events by 6 ms at most.
    private static let batch = 64
    private static let receiveBytes = 64 * 1024

    let configuration: StormConfiguration
    let progress: StormProgress
    let request: StormRequest
    private let number: Int
    private let source: SourceAddresses
    private var poller: Poller
    private var slots: SlotTable<StormConnection>
    private var timers: TimerQueue
    private let transport: TLSTransport
    private let context: TLSContext
    /// With HTTP/2 only.
    private let http2Settings: HTTP2ClientSettings?
    private let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: StormWorker.receiveBytes, alignment: 16)
    private let plaintext = UnsafeMutableRawBufferPointer.allocate(
        byteCount: StormWorker.receiveBytes, alignment: 16)
    private var random: SplitMix
    private let retryClock: RetryClock
    private var retries = RetryQueue()
    private var nextArrival: Int
    private var resumption: TLSResumption?
    private let start: MonotonicInstant
    private var now: MonotonicInstant
    private(set) var report = StormReport()

    /// - Parameter start: the storm's zero on the monotonic clock, the same for all threads.
    init(
        number: Int, configuration: StormConfiguration, address: SocketAddress,
        progress: StormProgress, start: MonotonicInstant
    ) throws {
        self.number = number
        self.configuration = configuration
        self.progress = progress
        self.start = start
        now = start
        poller = try Poller(eventsMaximum: 512)
        slots = SlotTable(capacityMaximum: configuration.mostOpen)
        timers = TimerQueue(now: start)
        transport = try TLSTransport()
        var settings = TLSClientSettings()
        settings.protocols = [configuration.http2 ? .http2 : .http11]
        // Without an authority nothing is checked: a load test of a server on this machine.
        settings.verification = configuration.target.authorityFile == nil ? .skipped : .required
        if let file = configuration.target.authorityFile { settings.trust = .file(file) }
        settings.resumes = configuration.resume
        // What phones send; a P-256 share would cost the server a third more.
        settings.groups = "X25519:P-256"
        context = try TLSContext(role: .client(settings), library: TLSLibrary())
        http2Settings =
            configuration.http2
            ? try HTTP2ClientSettings(bodyMaximum: StormExchange.bodyMaximum, keepsBody: false)
            : nil
        random = SplitMix(seed: configuration.seed &* 1_000_003 &+ UInt64(number))
        retryClock = RetryClock(scale: configuration.retryScale)
        source = SourceAddresses(target: address, count: configuration.sourceAddresses)
        request = StormRequest(configuration)
        nextArrival = number
        self.address = address
    }

    private let address: SocketAddress

    deinit {
        buffer.deallocate()
        plaintext.deallocate()
    }

    // MARK: - The loop

    /// Plays this thread's devices to their ends.
    func run() throws {
        while true {
            now = MonotonicInstant.now()
            startDue()
            if slots.count == 0 && allArrived && retries.isEmpty { break }
            if progress.isStopped || storm(now) > Int64(StormConfiguration.longestStorm * 1e9) {
                report.interrupted = true
                break
            }
            let count = try poller.wait(timeout: timeout)
            now = MonotonicInstant.now()
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
        report.generatorCPU = Self.threadCPU()
    }

    private var allArrived: Bool { nextArrival >= configuration.schedule.devices }

    /// Nanoseconds since the storm began.
    private func storm(_ instant: MonotonicInstant) -> Int64 {
        instant.nanoseconds - start.nanoseconds
    }

    private func startDue() {
        let time = storm(now)
        for _ in 0..<Self.batch {
            if slots.isFull { return }
            if let retry = retries.popDue(at: time) {
                begin(due: retry.due, attempt: retry.attempt)
                continue
            }
            guard !allArrived else { return }
            let due = Int64(configuration.schedule.time(ofArrival: nextArrival))
            guard due <= time else { return }
            nextArrival += configuration.threads
            report.timeline.arrived(atSecond: Int(due / 1_000_000_000))
            progress.started.add(1, ordering: .relaxed)
            begin(due: due, attempt: 1)
        }
    }

    private var timeout: Duration {
        let time = storm(now)
        var next = time + 100_000_000
        if !allArrived {
            next = min(next, Int64(configuration.schedule.time(ofArrival: nextArrival)))
        }
        if let retry = retries.next { next = min(next, retry.due) }
        var timeout = Duration.nanoseconds(max(0, next - time))
        if let timer = timers.timeout(now: now) { timeout = min(timeout, timer) }
        // epoll counts milliseconds: below one, look again at once rather than late.
        return timeout < .milliseconds(1) ? .zero : timeout
    }

    // MARK: - One device

    private func begin(due: Int64, attempt: Int) {
        report.tries += 1
        report.lag.record(nanoseconds: UInt64(max(0, storm(now) - due)))
        let userAgent = Int(random.next() % UInt64(max(1, configuration.userAgents.count)))
        let patience = configuration.patience.randomElement(using: &random) ?? 60
        do throws(SystemError) {
            var socket = try Socket(for: address)
            socket.disableNagle()
            switch socket.connect(to: address, from: source.next(using: &random)) {
            case .connected, .inProgress: break
            case .failed(let error):
                socket.close()
                return finish(DeviceOutcome(error), due: due, attempt: attempt)
            }
            try hold(socket, due, attempt, userAgent, patience)
        } catch {
            finish(DeviceOutcome(error), due: due, attempt: attempt)
        }
    }

    private func hold(
        _ socket: consuming Socket, _ due: Int64, _ attempt: Int, _ userAgent: Int,
        _ patience: Double
    ) throws(SystemError) {
        let raw = socket.release()
        let connection = slots.insert {
            StormConnection(
                token: $0, socket: Socket(owning: raw), due: due, attempt: attempt,
                userAgent: userAgent)
        }
        guard let connection else {
            var orphan = Socket(owning: raw)
            orphan.close()
            throw SystemError(call: "slots", number: EMFILE)
        }
        do throws(SystemError) {
            try poller.add(raw, [.read, .write], token: connection.token.rawValue)
        } catch {
            slots.remove(connection.token)
            connection.socket.close()
            throw error
        }
        timers.set(
            connection.token.index, now.advanced(byNanoseconds: Int64(patience * 1e9)))
    }

    private func advance(_ connection: StormConnection, _ readiness: Readiness) {
        switch connection.phase {
        case .connecting:
            if let error = connection.socket.pendingError() {
                return end(connection, DeviceOutcome(error))
            }
            guard readiness.contains(.writable) else { return }
            do {
                connection.session = try TLSSession(
                    context: context, serverName: configuration.target.host,
                    resumption: resumption)
            } catch { return end(connection, .failed(.generator)) }
            connection.phase = .handshaking
            shakeHands(connection)
        case .handshaking, .exchanging:
            if readiness.contains(.writable), !flush(connection) { return }
            if readiness.allowsReading {
                receive(connection)
            }
        }
    }

    private func receive(_ connection: StormConnection) {
        // Twice per turn at most: others wait.
        for _ in 0..<2 {
            switch connection.socket.receive(into: buffer) {
            case .bytes(let count):
                report.bytesReceived += UInt64(count)
                transport.receive(UnsafeRawBufferPointer(rebasing: buffer[0..<count]))
                let goesOn =
                    connection.phase == .handshaking
                    ? shakeHands(connection) : exchange(connection)
                connection.session?.keepUnread(transport)
                guard goesOn else { return }
                if count < buffer.count { return }
            case .wouldBlock: return
            case .endOfStream:
                return end(connection, connection.exchange?.endOfStream() ?? .failed(.cut))
            case .failed(let error): return end(connection, DeviceOutcome(error))
            }
        }
    }

    /// - Returns: whether the connection is still open.
    @discardableResult
    private func shakeHands(_ connection: StormConnection) -> Bool {
        guard let session = connection.session else { return false }
        switch session.handshake(transport) {
        case .wantsInput: return flush(connection)
        case .failed:
            _ = flush(connection)
            end(connection, .failed(.tls))
            return false
        case .done:
            report.handshakes += 1
            if session.negotiated.isResumed { report.resumed += 1 }
            connection.phase = .exchanging
            guard var exchange = makeExchange(connection.userAgent) else {
                end(connection, .failed(.generator))
                return false
            }
            let bytes = exchange.output()
            connection.exchange = exchange
            let written = bytes.withUnsafeBytes { session.write($0, transport) }
            if case .failed = written {
                end(connection, .failed(.tls))
                return false
            }
            // The answer may have come in the same flight only where the server spoke first.
            return flush(connection) && exchangeIfPending(connection)
        }
    }

    private func makeExchange(_ userAgent: Int) -> StormExchange? {
        guard let http2Settings else { return .http1(StormHTTP1Exchange(request, userAgent)) }
        return (try? StormHTTP2Exchange(request, userAgent, http2Settings)).map { .http2($0) }
    }

    private func exchangeIfPending(_ connection: StormConnection) -> Bool {
        guard transport.unreadCount > 0 || connection.session?.hasUnread == true else {
            return true
        }
        return exchange(connection)
    }

    /// - Returns: whether the connection is still open.
    private func exchange(_ connection: StormConnection) -> Bool {
        guard let session = connection.session else { return false }
        while true {
            switch session.read(into: plaintext, transport) {
            case .bytes(let count):
                let bytes = UnsafeRawBufferPointer(rebasing: plaintext[0..<count])
                let outcome = connection.exchange?.receive(bytes)
                if let outcome {
                    if let status = connection.exchange?.status {
                        report.statuses[status, default: 0] += 1
                    }
                    if configuration.resume, resumption == nil { resumption = session.resumption() }
                    session.closeNotify(transport)
                    _ = flush(connection)
                    end(connection, outcome)
                    return false
                }
                // HTTP/2 answers settings and pings.
                if let reply = connection.exchange?.output(), !reply.isEmpty {
                    _ = reply.withUnsafeBytes { session.write($0, transport) }
                }
            case .wantsInput: return flush(connection)
            case .closedByPeer:
                end(connection, connection.exchange?.endOfStream() ?? .failed(.cut))
                return false
            case .failed:
                end(connection, .failed(.tls))
                return false
            }
        }
    }

    /// Sends what the session wrote; keeps what the socket does not take.
    /// - Returns: whether the connection is still open.
    private func flush(_ connection: StormConnection) -> Bool {
        if !transport.output.isEmpty {
            if connection.unsent.isEmpty {
                switch connection.socket.send(transport.output) {
                case .bytes(let count):
                    if count < transport.output.count {
                        connection.unsent = Array(transport.output[count...])
                    }
                case .wouldBlock, .endOfStream: connection.unsent = Array(transport.output)
                case .failed(let error):
                    transport.clearOutput()
                    end(connection, DeviceOutcome(error))
                    return false
                }
            } else {
                connection.unsent.append(contentsOf: transport.output)
            }
            transport.clearOutput()
        } else if !connection.unsent.isEmpty {
            switch connection.unsent.withUnsafeBytes({ connection.socket.send($0) }) {
            case .bytes(let count): connection.unsent.removeFirst(count)
            case .wouldBlock, .endOfStream: break
            case .failed(let error):
                end(connection, DeviceOutcome(error))
                return false
            }
        }
        return watch(connection)
    }

    private func watch(_ connection: StormConnection) -> Bool {
        let wanted = !connection.unsent.isEmpty
        guard wanted != connection.waitsForWriting else { return true }
        connection.waitsForWriting = wanted
        do throws(SystemError) {
            try poller.modify(
                connection.socket.raw, wanted ? [.read, .write] : .read,
                token: connection.token.rawValue)
            return true
        } catch {
            end(connection, .failed(.generator))
            return false
        }
    }

    // MARK: - Ends

    private func end(_ connection: StormConnection, _ outcome: DeviceOutcome) {
        guard slots.remove(connection.token) != nil else { return }
        timers.clear(connection.token.index)
        connection.socket.close()
        finish(outcome, due: connection.due, attempt: connection.attempt)
    }

    private func finish(_ outcome: DeviceOutcome, due: Int64, attempt: Int) {
        let time = storm(now)
        let latency = UInt64(max(0, time - due))
        switch outcome {
        case .associated: report.associatedLatency.record(nanoseconds: latency)
        case .willRetry:
            report.unavailableLatency.record(nanoseconds: latency)
            if attempt < configuration.tries {
                let delay = retryClock.delay(using: &random)
                retries.insert(.init(due: time + delay, attempt: attempt + 1))
                return
            }
        case .denied, .failed: break
        }
        report.outcomes[outcome, default: 0] += 1
        report.timeline.ended(outcome, atSecond: Int(time / 1_000_000_000))
        progress.ended(outcome)
    }

    private static func threadCPU() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
