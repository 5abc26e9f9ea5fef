// The renewal windows of authorities.

extension RenewalEngine {
    func asksForWindow(_ id: LineageID, _ record: CertificateRecord, _ now: Int64) -> Bool {
        guard let facts = facts(of: id), facts.identifier != nil, facts.notAfter > now,
            let issuer = record.issuer,
            settings.authorities.contains(where: { $0.directory == issuer })
        else { return false }
        return sessions[issuer]?.directory.map { $0.renewalInfo != nil } ?? true
    }

    /// When the window may be asked for: not before the pause of a silent authority is over. The
    /// lease is given back until then, as others may reach it.
    func questionTime(_ record: CertificateRecord, _ now: Int64) -> Int64 {
        guard let issuer = record.issuer, let pause = silent[issuer],
            !BackOff.isOver(pause.until, now: now)
        else { return record.windowAskAt }
        return max(record.windowAskAt, pause.until)
    }

    mutating func beginQuestion(_ now: Int64) -> Bool {
        for id in lineages {
            let record = record(of: id)
            guard asksForWindow(id, record, now),
                BackOff.isOver(questionTime(record, now), now: now),
                let issuer = record.issuer, let identifier = facts(of: id)?.identifier
            else { continue }
            let session = sessions[issuer] ?? AuthoritySession(url: issuer)
            sessions[issuer] = session
            question = RenewalInfoRequest(
                id: id, session: session, certificate: identifier, now: now)
            return true
        }
        return false
    }

    mutating func endQuestion(_ asked: RenewalInfoRequest, now: Int64) {
        question = nil
        sessions[asked.session.url] = asked.session
        var record = record(of: asked.id)
        let old = record.windowOf == asked.certificate ? record.window : nil
        record.windowAskAt =
            now + RenewalSchedule.askAgain(after: asked.retryAfter, spread: asked.id.spread)
        record.windowOf = asked.certificate
        record.window = asked.window ?? old
        keep(record)
        // Also without news: the next process, and the next machine of a fleet, would ask for every
        // certificate again.
        outbox.append(saveRecord(asked.id))
        if let window = asked.window, window != old {
            outbox.append(.say(.window(asked.id, window, hasMoved: old != nil)))
        }
    }
}
