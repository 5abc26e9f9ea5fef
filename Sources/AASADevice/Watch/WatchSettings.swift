/// When a difference between two looks is news. Times in seconds.
package struct WatchSettings: Sendable, Hashable {
    /// Between two looks at a host.
    package var interval: Int64
    /// So many looks in a row have to agree before a change is told: one lost packet is no news.
    package var looksToConfirm = 2
    /// A host that showed something new is looked at again after this, to confirm it.
    package var confirmAfter: Int64 = 60
    /// A problem that begins so often within ``flapWindow`` flaps: that is told once.
    package var flapBeginnings = 3
    package var flapWindow: Int64 = 3600
    /// What flapped is told as what it is, once it has stayed that way for so long.
    package var calm: Int64 = 3600
    /// Apple: its CDN asks a host within 24 hours. A copy that is older than that is news.
    package var copyMaximum: Int64 = 24 * 3600
    /// Failures are kept by Apple's CDN for an hour (observed: `max-age=3600`); twice that is news.
    package var failedCopyMaximum: Int64 = 2 * 3600
    /// Between a change of the site's folder and the first answer with it: reload, roll-out, caches
    /// in between (the advised `Cache-Control` is an hour at most).
    package var publicationMaximum: Int64 = 3600
    /// Apple: devices ask again about once a week. After that an app that was taken out is out.
    package var lostAppMaximum: Int64 = 7 * 86_400
    /// All questions are asked so often; in between only those whose answers change by themselves.
    package var fullLook: Int64 = 3600
    /// Apps that are told one by one when they are lost; the others of the same host are counted.
    package var lostAppsTold = 20

    package init(interval: Int64) { self.interval = interval }

    /// Looks may begin so many milliseconds too late before the watcher is not ready: half an
    /// interval, by which every other host still had its turn. Ten seconds are nobody's fault: so
    /// long a machine under load may keep a thread waiting.
    package var latenessMaximum: Int64 { max(10_000, interval * 500) }

    /// How long a problem may last before it is one: what takes its time by design.
    func grace(_ code: String) -> Int64 {
        switch code {
        case CheckCode.cdnStale.rawValue: copyMaximum
        case CheckCode.documentUnpublished.rawValue: publicationMaximum
        case let code where code.hasPrefix("cdn-"): failedCopyMaximum
        default: 0
        }
    }
}
