import OpenSSL

// Selects the next order, and processes its result.

extension RenewalEngine {
    /// When an order may start: after the back-off, and after an authority's outage.
    func startTime(_ record: CertificateRecord, _ now: Int64) -> Int64 {
        let moment = record.mayTry(now: now) ? now : record.nextTry
        guard let pause = silent[authority(for: record, now: now).directory],
            !BackOff.isOver(pause.until, now: now)
        else { return moment }
        return max(moment, pause.until)
    }

    /// Starts the most urgent order that is allowed: a missing certificate first, then the one that
    /// expires first.
    mutating func beginOrder(_ now: Int64) -> Bool {
        var best: (id: LineageID, end: Int64, why: String)?
        for id in lineages {
            guard case .due(let why) = standing(of: id, now: now) else { continue }
            let record = record(of: id)
            guard startTime(record, now) <= now else { continue }
            // A certificate that fails repeatedly yields to others.
            let end = (facts(of: id)?.notAfter ?? 0) + Int64(record.failures) * 3600
            if let found = best, found.end <= end { continue }
            best = (id, end, why)
        }
        guard let best else { return false }
        begin(best.id, best.why, now)
        return true
    }

    func facts(of id: LineageID) -> CertificateFacts? {
        guard case .ours(let ecdsa, let rsa) = contents[id.folder] else { return nil }
        return id.isRSA ? rsa : ecdsa
    }

    private mutating func begin(_ id: LineageID, _ why: String, _ now: Int64) {
        var record = record(of: id)
        let authority = authority(for: record, now: now)
        let directory = authority.directory
        let names = names(of: id, now: now)
        let wantsWhole = LineageDecision.wantsWhole(record, now: now)
        let ordered = wantsWhole ? names.all : names.ordered
        var plan = OrderPlan(names: ordered)
        plan.keyKind = settings.keys.first { $0.isRSA == id.isRSA } ?? .ecdsaP256
        plan.replaces = record.issuer == directory ? facts(of: id)?.identifier : nil
        plan.profile = settings.profile
        plan.challenge = settings.challenge
        plan.contact = settings.contact
        plan.agreesToTerms = settings.agreesToTerms
        plan.externalAccount = authority.externalAccount

        var order = OrderState(
            directory: directory, names: ordered, keyKind: plan.keyKind, begun: now)
        if let kept = record.order, kept.directory == directory, kept.keyKind == plan.keyKind,
            Set(kept.names) == Set(ordered), kept.begun <= now,
            // One with a key may have its certificate already.
            now - kept.begun < (kept.key == nil ? Self.orderLife : BackOff.longest)
        {
            order = kept
        }
        let session = sessions[directory] ?? AuthoritySession(url: directory)
        running = Running(
            id: id, machine: OrderMachine(plan: plan, session: session, order: order))
        record.order = order
        keep(record)
        outbox.append(
            .say(
                .begins(
                    id, why: why, authority: KnownAuthority.host(of: directory),
                    isResumed: order.url != nil)))
        let left = names.all.filter { !ordered.contains($0) }
        if !left.isEmpty { outbox.append(.say(.leavesOut(id, left))) }
    }

    /// Seconds for which an order is kept: authorities expire them after 7 days or less.
    static let orderLife: Int64 = 86_400

    mutating func finish(
        _ current: Running, _ result: Result<IssuedCertificate, OrderFailure>, _ now: Int64
    ) {
        running = nil
        let directory = current.machine.session.url
        sessions[directory] = current.machine.session
        var record = record(of: current.id)
        record.order = current.machine.isOrderSpent ? nil : current.machine.order
        let hasPublished = current.machine.hasPublished
        switch result {
        case .success(let issued):
            succeeded += 1
            silent[directory] = nil
            // Kept until the certificate is installed: after a crash or a full disk it is fetched
            // again.
            record.order = current.machine.order
            let facts = CertificateFacts(issued.pair.leaf)
            // What replaces a certificate of today, by the authority's clock, may be due again at
            // once: this clock is ahead, or two machines want other names.
            if let old = self.facts(of: current.id), facts.notBefore - old.notBefore < 86_400 {
                record.nextTry = now + min(6 * 3600, facts.life / 4)
            }
            keep(record)
            outbox.append(.install(current.id, issued))
            outbox.append(
                .say(
                    .issued(
                        current.id, until: facts.notAfter,
                        renewal: RenewalSchedule.ownTime(facts, spread: current.id.spread))))
        case .failure(let failure):
            failed += 1
            note(failure, &record, directory, now)
            keep(record)
            outbox.append(saveRecord(current.id))
        }
        if hasPublished { outbox.append(.publish([])) }
    }

    /// The certificate is in its folder: forget its order.
    mutating func installed(_ id: LineageID, now: Int64) {
        let old = record(of: id)
        let wanted = wantedNames[id.folder] ?? []
        var record = CertificateRecord(id: id)
        record.failingNames = old.failingNames.filter {
            old.order?.names.contains($0.key) == false && wanted.contains($0.key)
        }
        if !record.failingNames.isEmpty {
            record.lastError = old.lastError
            record.lastRemedy = old.lastRemedy
            record.lastErrorAt = now
        }
        record.issuer = old.order?.directory
        record.nextTry = old.nextTry
        // An authority whose windows are always over would have it renewed at once, indefinitely:
        // the question about a renewed one can wait for a day.
        if old.window != nil {
            record.windowAskAt = now + RenewalSchedule.askAgain(after: 86_400, spread: id.spread)
        }
        keep(record)
        outbox.insert(saveRecord(id), at: 0)
    }

    mutating func note(
        _ failure: OrderFailure, _ record: inout CertificateRecord, _ directory: String,
        _ now: Int64
    ) {
        let advice = FailureAdvice(failure, directory: directory)
        record.failures += 1
        let before = turn(of: record)
        record.directoryFailures +=
            advice.isAboutAuthority
            ? Self.failuresPerAuthority
                - record.directoryFailures % Self.failuresPerAuthority : 1
        var delay = BackOff.delay(
            failures: record.failures, spread: record.id.spread, retryAfter: failure.retryAfter)
        if turn(of: record) != before {
            // Another authority has no back-off yet. But wait a minute: if all refuse, the tries go
            // round in circles.
            delay = record.failures <= settings.authorities.count ? 60 : min(delay, 3600)
        }
        record.nextTry = now + delay
        record.lastError = advice.message
        record.lastRemedy = advice.remedy
        record.lastErrorAt = now
        record.needsSetting = false
        for name in Set(failure.failedNames) { record.failingNames[name, default: 0] += 1 }
        switch failure.cause {
        case .unreachable, .untrusted:
            let times = (silent[directory]?.times ?? 0) + 1
            silent[directory] = (
                times,
                now
                    + BackOff.delay(
                        failures: times, spread: record.id.spread, retryAfter: failure.retryAfter)
            )
        case .setting: record.needsSetting = true
        case .validation, .refused, .malformed, .tooLong, .unusable, .local: break
        }
        outbox.append(
            .say(.failed(record.id, advice, retry: record.nextTry, failures: record.failures)))
    }
}
