import AASADevice
import Testing

@Suite struct WebhookQueueTests {
    static let body = Array("{}".utf8)

    @Test func keepsTheOrderAndAsksAgainLaterEachTime() {
        var queue = WebhookQueue()
        #expect(queue.nextDue == nil)
        queue.add(id: "a", Self.body)
        queue.add(id: "b", Self.body)
        var now: Int64 = 0
        var waits: [Int64] = []
        for _ in 0..<12 {
            #expect(queue.next(now: now)?.id == "a")
            queue.finish(.failed(retryAfter: nil), now: now)
            #expect(queue.next(now: now) == nil)
            let due = queue.nextDue ?? 0
            waits.append((due - now) / 1000)
            now = due
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
        queue.finish(.delivered, now: now)
        #expect(queue.next(now: now)?.id == "b")
        #expect(queue.next(now: now)?.isFirstAttempt == true)
        #expect(queue.delivered == 1 && queue.failures == 12)
    }

    @Test func doesAsItIsToldWhenToComeAgain() {
        var queue = WebhookQueue()
        queue.add(id: "a", Self.body)
        queue.finish(.failed(retryAfter: 30), now: 0)
        #expect(queue.nextDue == 30_000)
        queue.finish(.failed(retryAfter: 999_999), now: 30_000)
        #expect(queue.nextDue == 3_630_000)
    }

    @Test func isBounded() {
        var queue = WebhookQueue()
        for number in 0..<(WebhookQueue.maximum + 5) { queue.add(id: "\(number)", Self.body) }
        #expect(queue.entries.count == WebhookQueue.maximum)
        #expect(queue.lost == 5)
        // The first one may be on its way.
        #expect(queue.entries.first?.id == "0" && queue.entries[1].id == "6")
        queue.finish(.refused, now: 0)
        #expect(queue.lost == 6 && queue.next(now: 0)?.id == "6")
        let restored = WebhookQueue(restoring: queue.entries.map { ($0.id, $0.body) })
        #expect(restored.entries.map(\.id) == queue.entries.map(\.id))
    }

    @Test(arguments: [
        (200, WebhookQueue.Outcome.delivered), (202, .delivered), (204, .delivered),
        (302, .refused), (400, .refused), (404, .refused), (408, .failed(retryAfter: 7)),
        (429, .failed(retryAfter: 7)), (500, .failed(retryAfter: 7)), (503, .failed(retryAfter: 7)),
    ])
    func knowsWhatAnAnswerMeans(status: Int, outcome: WebhookQueue.Outcome) {
        #expect(WebhookQueue.outcome(status: status, retryAfter: "7") == outcome)
        #expect(WebhookQueue.outcome(status: nil) == .failed(retryAfter: nil))
    }
}
