import AppSiteAssociation
import OpenSSL

/// Renews the certificates of a site: selects the next one and its authority, and keeps the state.
/// One order at a time: at some 10 seconds each, 300 an hour, which is more than authorities allow.
///
/// A value without I/O and clock. The driver calls `next`, performs the action and reports the
/// result; a simulated year runs the same code.
package struct RenewalEngine: Sendable {
    package enum Action: Sendable {
        case send(ServerRequest)
        /// Save it durably, then call `done`.
        case save(StoreKey, [UInt8])
        /// Replaces the challenges to answer. Call `done` when every machine knows them.
        case publish([ChallengeAnswer])
        /// Install key and chain atomically, then call `done`.
        case install(LineageID, IssuedCertificate)
        /// Log an event; no reply is expected.
        case say(RenewalEvent)
        /// Nothing to do until then (seconds since 1970), or until something changes.
        case wait(until: Int64)
    }

    struct Running {
        let id: LineageID
        var machine: OrderMachine
    }

    package var settings: RenewalSettings
    package internal(set) var contents: [String: FolderContent] = [:]
    package internal(set) var records: [LineageID: CertificateRecord] = [:]
    /// The managed certificates, sorted.
    package private(set) var lineages: [LineageID] = []
    /// Folder → names of its certificates.
    private(set) var wantedNames: [String: [String]] = [:]
    /// From when until when there is nothing to do, unless something changes: a turn then costs
    /// the same for any number of certificates.
    private var idle: Range<Int64>?
    var sessions: [String: AuthoritySession] = [:]
    var running: Running?
    var question: RenewalInfoRequest?
    /// Actions that come before all others, in this order.
    var outbox: [Action] = []
    /// Directory → consecutive requests without a response, and the time of the next try.
    var silent: [String: (times: Int, until: Int64)] = [:]
    package internal(set) var succeeded = 0
    package internal(set) var failed = 0

    package init(settings: RenewalSettings) { self.settings = settings }

    // MARK: Inputs

    /// Loads the stored state; call it first, and whenever the lease was acquired again.
    package mutating func remember(
        records: [CertificateRecord], accounts: [AccountState], isStart: Bool = true
    ) {
        self.records = [:]
        for var record in records {
            // A restart may have fixed the missing setting.
            if isStart, record.needsSetting {
                record.needsSetting = false
                record.nextTry = 0
            }
            self.records[record.id] = record
        }
        idle = nil
        let known = sessions
        sessions = [:]
        for account in accounts {
            var session = known[account.directory] ?? AuthoritySession(url: account.directory)
            session.account = account
            sessions[account.directory] = session
        }
        running = nil
        question = nil
        outbox = []
    }

    /// Updates the needed certificates and the contents of their folders, whenever either changed.
    package mutating func update(
        wanted: [WantedCertificate], contents: [String: FolderContent]
    ) {
        self.contents = contents
        wantedNames = [:]
        for want in wanted where wantedNames[want.folder] == nil {
            wantedNames[want.folder] = Array(want.names.prefix(WantedCertificate.namesMaximum))
        }
        lineages = wantedNames.keys.flatMap { folder in
            settings.keys.map { LineageID(folder: folder, isRSA: $0.isRSA) }
        }.sorted()
        idle = nil
    }

    /// The only way to change a record, as it also resets the time of the next check.
    mutating func keep(_ record: CertificateRecord) {
        records[record.id] = record
        idle = nil
    }

    func record(of id: LineageID) -> CertificateRecord { records[id] ?? CertificateRecord(id: id) }

    /// The names of a certificate, and those to order: failing names may be omitted.
    func names(of id: LineageID, now: Int64) -> (all: [String], ordered: [String]) {
        var all = wantedNames[id.folder] ?? []
        if settings.isShared, let facts = facts(of: id) {
            all = LineageDecision.joined(all, with: facts, record: record(of: id), now: now)
        }
        guard settings.leavesFailingNamesOut else { return (all, all) }
        let failing = record(of: id).failingNames
        let kept = all.filter { (failing[$0] ?? 0) < Self.failuresBeforeLeavingOut }
        // All fail: then the names are not the cause.
        return (all, kept.isEmpty ? all : kept)
    }

    /// Consecutive orders that fail because of a name before it is omitted.
    static let failuresBeforeLeavingOut = 2

    func standing(of id: LineageID, now: Int64) -> LineageStatus {
        let record = record(of: id)
        let names = names(of: id, now: now)
        // An omitted name is tried again with the others once a day.
        let wantsWhole =
            names.ordered != names.all && LineageDecision.wantsWhole(record, now: now)
        return LineageDecision.standing(
            of: id, names: wantsWhole ? names.all : names.ordered,
            content: contents[id.folder] ?? .empty, record: record, now: now)
    }

    /// The authority that is the certificate's turn, or the next one that answers.
    func authority(for record: CertificateRecord, now: Int64) -> RenewalSettings.Authority {
        let count = settings.authorities.count
        let turn = turn(of: record)
        return (0..<count).map { settings.authorities[(turn + $0) % count] }
            .min { silence(of: $0.directory, now) < silence(of: $1.directory, now) }
            ?? settings.authorities[turn]
    }

    /// Which authority the certificate's own failures select.
    func turn(of record: CertificateRecord) -> Int {
        record.directoryFailures / Self.failuresPerAuthority % max(settings.authorities.count, 1)
    }

    /// Until when an authority is passed over for others; 0 if it is not. It is asked once after
    /// each pause: that all certificates count its failures together, and not each its own, is what
    /// lets them be renewed elsewhere in time.
    private func silence(of directory: String, _ now: Int64) -> Int64 {
        guard let pause = silent[directory], pause.times >= Self.failuresPerAuthority,
            !BackOff.isOver(pause.until, now: now)
        else { return 0 }
        return pause.until
    }

    /// Consecutive failures before the next authority is used.
    static let failuresPerAuthority = 3

    // MARK: Next action

    package mutating func next(now: Int64) -> Action {
        while true {
            if let first = outbox.first {
                if case .say = first { outbox.removeFirst() }
                return first
            }
            if var current = running {
                let action = current.machine.next(now: now)
                running = current
                if let translated = translate(action, current, now) { return translated }
                continue
            }
            if let question { return .send(question.request) }
            if let idle, idle.contains(now) { return .wait(until: idle.upperBound) }
            if beginOrder(now) || beginQuestion(now) { continue }
            let moment = nextMoment(now)
            idle = now..<moment
            return .wait(until: moment)
        }
    }

    private mutating func translate(
        _ action: OrderMachine.Action, _ current: Running, _ now: Int64
    ) -> Action? {
        switch action {
        case .send(let request): return .send(request)
        case .saveAccount(let account):
            return .save(.account(account.directory), Self.bytes(account.json))
        case .saveOrder(let order):
            var record = record(of: current.id)
            record.order = order
            keep(record)
            return saveRecord(current.id)
        case .publish(let answers): return .publish(answers)
        case .wait(let until): return .wait(until: until)
        case .finish(let result):
            finish(current, result, now)
            return nil
        }
    }

    func saveRecord(_ id: LineageID) -> Action {
        .save(.record(id), Self.bytes(record(of: id).json))
    }

    static func bytes(_ value: JSONValue) -> [UInt8] { JSONWriter.indented(value) }

    /// When the next action may be due, if nothing changes before.
    private func nextMoment(_ now: Int64) -> Int64 {
        var moment = now + Self.idleSeconds
        for id in lineages {
            let record = record(of: id)
            switch standing(of: id, now: now) {
            case .foreign: continue
            case .good(let renewal): moment = min(moment, renewal)
            case .due: moment = min(moment, startTime(record, now))
            }
            if asksForWindow(id, record, now) {
                moment = min(moment, questionTime(record, now))
            }
        }
        return max(moment, now + 1)
    }

    /// Maximum of seconds to sleep, as the clock may be set.
    static let idleSeconds: Int64 = 3600

    // MARK: Results

    package mutating func answered(_ answer: AuthorityResponse, now: Int64) {
        if var asked = question {
            asked.answered(answer, now: now)
            question = asked
            if asked.isOver { endQuestion(asked, now: now) }
        } else {
            running?.machine.answered(answer, now: now)
        }
    }

    package mutating func failed(_ failure: TransportFailure, now: Int64) {
        if var asked = question {
            asked.failed()
            endQuestion(asked, now: now)
        } else {
            running?.machine.failed(failure, now: now)
        }
    }

    /// The requested save, publication or installation succeeded.
    package mutating func done(now: Int64) {
        if !outbox.isEmpty {
            let first = outbox.removeFirst()
            if case .install(let id, _) = first { installed(id, now: now) }
        } else {
            running?.machine.saved(now: now)
        }
    }

    /// The requested action failed. A finished order is kept and resumed at the next try.
    package mutating func notDone(_ why: String, remedy: String? = nil, now: Int64) {
        guard let first = outbox.first else {
            running?.machine.end(.local(why, remedy: remedy))
            return
        }
        if case .install(let id, _) = first {
            outbox.removeAll { if case .publish = $0 { false } else { true } }
            // The disk failed, not the authority: keep the order and fetch the certificate again.
            var record = record(of: id)
            let turns = record.directoryFailures
            let failure = OrderFailure(.local(why, remedy: remedy))
            note(failure, &record, record.order?.directory ?? "", now)
            record.directoryFailures = turns
            keep(record)
            outbox.insert(saveRecord(id), at: 0)
            return
        }
        outbox.removeFirst()
        running?.machine.end(.local(why, remedy: remedy))
        outbox.append(.say(.cannotSave(why)))
    }
}
