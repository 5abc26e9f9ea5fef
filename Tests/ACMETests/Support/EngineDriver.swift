import AppSiteAssociation
import OpenSSL

@testable import ACME

/// Does what the engine says, against a made-up authority, with a store in memory and a clock that
/// only a test moves. What a crash would leave is what the store has.
final class EngineDriver {
    let authority: FakeAuthority
    var now: Int64
    var engine: RenewalEngine
    var wanted: [WantedCertificate]
    private(set) var store: [String: [UInt8]] = [:]
    private(set) var contents: [String: FolderContent] = [:]
    private(set) var installed: [(id: LineageID, at: Int64, pair: CertificatePair)] = []
    private(set) var published: [ChallengeAnswer] = []
    private(set) var events: [RenewalEvent] = []
    /// Actions done, waits aside.
    private(set) var steps = 0
    /// Loses everything that is in memory after so many actions; the action itself may be done or
    /// not.
    var crashAfter: Int?
    var crashDoesAction = true
    /// Requests there are never answered.
    var silentPrefix: String?
    /// What cannot be saved.
    var refusesToSave: (RenewalEngine.Action) -> String? = { _ in nil }

    static let epoch: Int64 = 1_800_000_000

    init(
        _ wanted: [WantedCertificate], now: Int64 = EngineDriver.epoch,
        base: String = "https://ca.test",
        settings: (inout RenewalSettings) -> Void = { _ in }
    ) throws {
        self.wanted = wanted
        self.now = now
        authority = try FakeAuthority(now: now, base: base)
        var made = RenewalSettings(authorities: [.init(directory: "\(base)/directory")])
        made.agreesToTerms = true
        settings(&made)
        engine = RenewalEngine(settings: made)
        restart()
    }

    func json(_ key: String) -> JSONValue? {
        store[key].flatMap { try? JSONReader.read(SourceText(name: key, bytes: $0)).root }
    }

    /// A new process: only the store and the certificates are left.
    func restart() {
        let fresh = RenewalEngine(settings: engine.settings)
        engine = fresh
        var records: [CertificateRecord] = []
        var accounts: [AccountState] = []
        for key in store.keys.sorted() {
            guard let value = json(key) else { continue }
            if key.hasPrefix("certificates/"),
                let record = try? CertificateRecord(value, name: key)
            {
                records.append(record)
            }
            if key.hasPrefix("accounts/"), let account = try? AccountState(value, name: key) {
                accounts.append(account)
            }
        }
        engine.remember(records: records, accounts: accounts)
        engine.update(wanted: wanted, contents: contents)
        published = []
    }

    /// One action; waits move the clock up to `until`.
    ///
    /// - Returns: false where there is nothing to do before `until`.
    func step(until: Int64) -> Bool {
        let action = engine.next(now: now)
        if case .wait(let moment) = action {
            if moment > until {
                now = max(now, until)
                return false
            }
            now = max(moment, now + 1)
            return true
        }
        if case .say(let event) = action {
            events.append(event)
            return true
        }
        steps += 1
        let crashes = steps == crashAfter
        if crashes, !crashDoesAction {
            restart()
            return true
        }
        perform(action, isLost: crashes)
        if crashes { restart() }
        return true
    }

    private func perform(_ action: RenewalEngine.Action, isLost: Bool) {
        if let why = refusesToSave(action) { return engine.notDone(why, now: now) }
        switch action {
        case .send(let request):
            if let silentPrefix, request.url.hasPrefix(silentPrefix) {
                return engine.failed(TransportFailure("nobody answers"), now: now)
            }
            authority.orderKey = { [weak self] in self?.engine.running?.machine.order.key }
            let result = authority.take(request, now: now)
            if isLost { return }
            switch result {
            case .success(let answer): engine.answered(answer, now: now)
            case .failure(let failure): engine.failed(failure, now: now)
            }
        case .save(let key, let bytes):
            store[key.path] = bytes
            if !isLost { engine.done(now: now) }
        case .publish(let answers):
            published = answers
            if !isLost { engine.done(now: now) }
        case .install(let id, let issued):
            installed.append((id, now, issued.pair))
            let facts = CertificateFacts(issued.pair.leaf)
            var (ecdsa, rsa): (CertificateFacts?, CertificateFacts?) = (nil, nil)
            if case .ours(let old, let other) = contents[id.folder] { (ecdsa, rsa) = (old, other) }
            if id.isRSA { rsa = facts } else { ecdsa = facts }
            contents[id.folder] = .ours(ecdsa: ecdsa, rsa: rsa)
            if !isLost {
                engine.update(wanted: wanted, contents: contents)
                engine.done(now: now)
            }
        case .say, .wait: break
        }
    }

    func put(_ content: FolderContent, in folder: String) {
        contents[folder] = content
        engine.update(wanted: wanted, contents: contents)
    }

    /// Until nothing is left to do before `until`.
    func run(until: Int64, stepsMaximum: Int = 1_000_000) {
        var left = stepsMaximum
        while left > 0, step(until: until) { left -= 1 }
    }

    func run(for seconds: Int64, stepsMaximum: Int = 1_000_000) {
        run(until: now + seconds, stepsMaximum: stepsMaximum)
    }

    var failures: [FailureAdvice] {
        events.compactMap { if case .failed(_, let advice, _, _) = $0 { advice } else { nil } }
    }
}
