package import AASAClient
package import AppSiteAssociation

/// The associations of an app's web credentials, kept up by a device on a virtual clock.
package struct AssociatedDomains {
    private struct Domain {
        let entry: EntitlementEntry
        let site: String
        var machine: AssociationStateMachine
        var verdict: Verdict
        /// When the device looks again; nil when nothing is due.
        var due: Int?
    }

    private var domains: [Domain] = []
    private let settings: Device.Settings
    private let resolver: Resolver
    private let signatures: SignedDocument.Reader
    private let chance: () -> Double
    private let ask: Device.Ask
    /// Seconds since the app was installed.
    package private(set) var time = 0

    /// - Parameter entries: the app's entitlement; only `webcredentials` counts here.
    package init(
        _ entries: [EntitlementEntry], _ settings: Device.Settings, resolver: Resolver,
        signatures: @escaping SignedDocument.Reader, chance: @escaping () -> Double,
        ask: @escaping Device.Ask
    ) {
        self.settings = settings
        self.resolver = resolver
        self.signatures = signatures
        self.chance = chance
        self.ask = ask
        for entry in entries where entry.service == "webcredentials" {
            let obstacle = EntryRules.obstacle(entry, settings.era)
            domains.append(
                Domain(
                    entry: entry, site: entry.domain.lowercased(),
                    machine: AssociationStateMachine(era: settings.era),
                    verdict: .skipped(.entitlement(obstacle ?? "not asked yet"))))
        }
    }

    package var associatedSites: [String] {
        domains.filter { $0.verdict == .associated }.map(\.site)
    }

    /// The site that accounts of the story belong to.
    package var firstSite: String { domains.first?.site ?? "" }

    package func isAssociated(_ site: String) -> Bool {
        domains.contains { $0.verdict == .associated && $0.entry.covers(host: site) }
    }

    /// Asks for every domain. Returns what happened, for people.
    package mutating func install() -> [String] {
        if domains.isEmpty { return ["the entitlement names no webcredentials domain"] }
        return domains.indices.map { index in
            if EntryRules.obstacle(domains[index].entry, settings.era) == nil {
                let action = domains[index].machine.installed()
                settle(index, action)
            }
            return sentence(index)
        }
    }

    /// The app called the API: what failed for a while is asked again.
    package mutating func apiCalled(for site: String?) -> [String] {
        var notes: [String] = []
        for index in domains.indices
        where site == nil || domains[index].entry.covers(host: site ?? "") {
            let action = domains[index].machine.apiCalled()
            if action == .none { continue }
            settle(index, action)
            notes.append("asks again because of the call: " + sentence(index))
        }
        return notes
    }

    /// Lets time pass; timers that are due fire.
    package mutating func wait(seconds: Int) -> [String] {
        let end = time + seconds
        var notes: [String] = []
        while let index = nextDue(before: end), let due = domains[index].due {
            time = due
            let action = domains[index].machine.timerFired()
            settle(index, action)
            notes.append("+\(spanText(time)) looks again: " + sentence(index))
        }
        time = end
        return notes.isEmpty ? ["has no reason to ask"] : notes
    }

    private func nextDue(before end: Int) -> Int? {
        domains.indices.filter { (domains[$0].due ?? .max) <= end }
            .min { (domains[$0].due ?? 0) < (domains[$1].due ?? 0) }
    }

    private mutating func settle(_ index: Int, _ first: AssociationStateMachine.Action) {
        let domain = domains[index]
        let reader = AnswerReader(
            era: settings.era, service: "webcredentials", app: settings.app, host: domain.site,
            signatures: signatures)
        var action = first
        domains[index].due = nil
        while true {
            switch action {
            case .none: return
            case .ask(let path):
                let question = DeviceQuestion(
                    path: path, host: domain.site, port: domain.entry.port, era: settings.era,
                    cdn: settings.cdn, resolver: resolver)
                var request = question.request
                request.limits = settings.limits
                request.security.authorityFile = settings.authorityFile
                request.security.trustsMachine = settings.trustsMachine
                var exchange = ask(request)
                if question.isPlayed {
                    exchange = PlayedCDN.answer(question.asDeviceAsks, from: exchange)
                }
                action = domains[index].machine.answered(reader.answer(exchange), chance: chance())
            case .wait(let reason, let seconds):
                domains[index].verdict = .willRetry(reason, seconds: seconds)
                domains[index].due = time + seconds
                return
            case .settle(let verdict, let recheck):
                domains[index].verdict = verdict
                domains[index].due = recheck.map { time + $0 }
                return
            }
        }
    }

    private func sentence(_ index: Int) -> String {
        "\(domains[index].site): \(domains[index].verdict.sentence)"
    }
}
