import AASAClient
package import AppSiteAssociation

/// The associations of an app's web credentials, maintained by a device on a virtual clock.
package struct AssociatedDomains {
    private struct Domain {
        let entry: EntitlementEntry
        var machine: AssociationStateMachine
        var verdict = Verdict.skipped(.other("the app is not installed"))
        /// When the device checks again; nil if nothing is due.
        var due: Int?
        /// Why the last request changed nothing; nil if it was answered.
        var unanswered: Verdict.Reason?

        var site: String { entry.domain.lowercased() }

        /// Whether a call for a site concerns it; a call without a site concerns every domain.
        func serves(_ site: String?) -> Bool { site.map { entry.covers(host: $0) } ?? true }
    }

    private var domains: [Domain]
    private let settings: Device.Settings
    private let chance: () -> Double
    private let ask: Device.Ask
    /// Simulated responses that replace those of live hosts; under "" for all other hosts.
    private var played: [String: SimulatedSite] = [:]
    /// Whether the app is on the device.
    package private(set) var isInstalled = false
    /// Seconds since the app was installed.
    package private(set) var time = 0

    /// - Parameter entries: the app's entitlement; only `webcredentials` matters here.
    package init(
        _ entries: [EntitlementEntry], _ settings: Device.Settings,
        chance: @escaping () -> Double, ask: @escaping Device.Ask
    ) {
        self.settings = settings
        self.chance = chance
        self.ask = ask
        domains = entries.filter { $0.service == "webcredentials" }.map {
            Domain(entry: $0, machine: AssociationStateMachine(era: settings.era))
        }
    }

    /// Whether a site is associated; nil: any site.
    ///
    /// `*.example.com` covers every sub-domain but not `example.com`, which must be listed
    /// separately; this applies to every call.
    func isAssociated(_ site: String?) -> Bool {
        domains.contains { $0.verdict == .associated && $0.serves(site) }
    }

    /// Installs or updates the app: requests every domain. Returns a description of the events.
    package mutating func install() -> [String] {
        isInstalled = true
        return domains.indices.map { index in
            if let obstacle = EntryRules.obstacle(domains[index].entry, settings.era) {
                domains[index].verdict = .skipped(.other(obstacle))
            } else {
                let action = domains[index].machine.installed()
                settle(index, action)
            }
            return sentence(index)
        }
    }

    /// Deletes the app, which ends its associations.
    package mutating func remove() {
        isInstalled = false
        domains = domains.map {
            Domain(entry: $0.entry, machine: AssociationStateMachine(era: settings.era))
        }
    }

    /// Sets the simulated response of a host; nil restores the live one.
    package mutating func change(_ site: String?, to answer: SimulatedSite?) {
        if site == nil { played = [:] }
        played[site ?? ""] = answer
    }

    /// The app called the API: requests that failed temporarily are retried.
    package mutating func apiCalled(for site: String?) -> [String] {
        var notes: [String] = []
        for index in domains.indices where domains[index].serves(site) {
            guard let action = domains[index].machine.apiCalled() else { continue }
            settle(index, action)
            notes.append("asks again because of the call: " + sentence(index))
        }
        return notes
    }

    /// Advances the clock; due timers fire.
    package mutating func wait(seconds: Int) -> [String] {
        let end = time + seconds
        var notes: [String] = []
        while let index = nextDue, let due = domains[index].due, due <= end {
            time = due
            let action = domains[index].machine.timerFired()
            settle(index, action)
            notes.append("+\(spanText(time)) looks again: " + sentence(index))
        }
        time = end
        return notes.isEmpty ? ["has no reason to ask"] : notes
    }

    private var nextDue: Int? {
        domains.indices.min { (domains[$0].due ?? .max) < (domains[$1].due ?? .max) }
    }

    private mutating func settle(_ index: Int, _ first: AssociationStateMachine.Action) {
        let domain = domains[index]
        let reader = settings.evaluator(of: domain.entry)
        var action = first
        domains[index].due = nil
        domains[index].unanswered = nil
        while true {
            switch action {
            case .ask(let path):
                let question = DeviceRequest(
                    path: path, entry: domain.entry, settings: settings)
                let exchange = question.answer(answer(question.request, for: domain.site))
                action = domains[index].machine.answered(reader.answer(exchange), chance: chance())
            case .rest(let verdict, let next):
                // Without a response nothing changes: the association lasts until a response denies
                // it or the app is deleted.
                switch (domain.verdict, verdict) {
                case (.associated, .willRetry(let reason, _)), (.associated, .failed(let reason)):
                    domains[index].unanswered = reason
                default: domains[index].verdict = verdict
                }
                domains[index].due = next.map { time + $0 }
                return
            }
        }
    }

    private func answer(_ request: ClientRequest, for site: String) -> ClientExchange {
        guard let answer = played[site] ?? played[""] else { return ask(request) }
        var exchange = ClientExchange(request: request)
        let type =
            SignedDocument.looksSigned(answer.body) ? "application/pkcs7-mime" : "application/json"
        exchange.head = ResponseHead(
            status: answer.status, reason: "as the story says", fields: [("Content-Type", type)])
        exchange.body = answer.body
        return exchange
    }

    private func sentence(_ index: Int) -> String {
        let domain = domains[index]
        guard let reason = domain.unanswered else {
            return "\(domain.site): \(domain.verdict.sentence)"
        }
        let again = domain.due.map { "; asks again in \(spanText($0 - time))" }
        return "\(domain.site): associated as before: \(reason)\(again ?? "")"
    }
}
