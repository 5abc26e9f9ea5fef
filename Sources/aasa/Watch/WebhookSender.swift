import AASAClient
import AASADevice
import Reactor

/// Sends what a ``WebhookQueue`` holds, one after the other, on a thread of its own.
final class WebhookSender: Sendable {
    private let url: ServerURL
    private let template: WebhookTemplate
    private let settings: CheckSettings
    private let folder: WatchFolder?
    private let stop: WatchStop
    let queue: Lock<WebhookQueue>

    /// A receiver that takes longer holds up the rest.
    private static let patience = Duration.seconds(20)

    init(
        _ url: ServerURL, _ template: WebhookTemplate, _ settings: CheckSettings,
        _ folder: WatchFolder?, _ stop: WatchStop
    ) {
        self.url = url
        self.template = template
        self.settings = settings
        self.folder = folder
        self.stop = stop
        queue = Lock(folder?.queue() ?? WebhookQueue())
    }

    func add(_ changes: [WatchChange]) {
        let wanted = changes.filter { template.takesNotes || $0.kind != .note }
        if wanted.isEmpty { return }
        let saved = queue.withLock { queue -> String? in
            for change in wanted { queue.add(id: change.id, template.body(change)) }
            return save(queue)
        }
        if let saved { Terminal.note("aasa: \(saved)") }
    }

    /// - Returns: what went wrong.
    private func save(_ queue: WebhookQueue) -> String? {
        do {
            try folder?.save(queue)
            return nil
        } catch {
            return error.description
        }
    }

    /// Sends until it is stopped.
    func run() {
        guard let client = try? HTTPClient(resolver: settings.resolver, stop: stop.wakeup) else {
            return Terminal.note("aasa: the TLS library does not work: the webhook gets nothing")
        }
        while true {
            let now = WatchRun.milliseconds()
            let (entry, due) = queue.withLock { ($0.next(now: now), $0.nextDue) }
            guard let entry else {
                let wait = min(1000, max(20, (due ?? now + 1000) - now))
                if stop.wait(milliseconds: wait) { return }
                continue
            }
            let outcome = send(entry, client)
            if stop.isRaised { return }
            let problem = queue.withLock { queue in
                queue.finish(outcome, now: WatchRun.milliseconds())
                return outcome == .delivered || outcome == .refused ? save(queue) : nil
            }
            if let problem { Terminal.note("aasa: \(problem)") }
        }
    }

    private func send(_ entry: WebhookQueue.Entry, _ client: HTTPClient) -> WebhookQueue.Outcome {
        var request = ClientRequest(url)
        request.method = "POST"
        request.fields = [("Content-Type", "application/json"), ("User-Agent", "aasa-watch")]
        request.body = entry.body
        request.limits.total = Self.patience
        request.security.authorityFile = settings.authorityFile
        do throws(ClientFailure) {
            let response = try client.send(request)
            let status = response.head.status
            let outcome = WebhookQueue.outcome(
                status: status, retryAfter: response.head.value("Retry-After"))
            if outcome == .refused {
                Terminal.note(
                    "aasa: \(url.host): the webhook answers \(status) to \(entry.id): not sent "
                        + "again. See that the URL and the template are what it wants")
            }
            return outcome
        } catch {
            if entry.isFirstAttempt {
                Terminal.note("aasa: \(url.host): \(error): the webhook is tried again")
            }
            return .failed(retryAfter: nil)
        }
    }
}
