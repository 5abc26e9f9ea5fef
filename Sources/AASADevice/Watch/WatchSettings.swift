/// When a difference between checks is reported. Times in seconds.
package struct WatchSettings: Sendable, Hashable {
    /// Between two checks of a host.
    package var interval: Int64
    /// Consecutive checks that must agree before a change is reported: one lost packet is no
    /// change.
    package var looksToConfirm = 2
    /// A host with a change is checked again after this, to confirm it.
    package var confirmAfter: Int64 = 60
    /// A problem that begins this often within ``flapWindow`` is flapping, which is reported once.
    package var flapBeginnings = 3
    package var flapWindow: Int64 = 3600
    /// A flapping problem is reported as present or absent after it stayed so for this long.
    package var calm: Int64 = 3600
    /// Apple: its CDN requests a document within 24 hours. An older copy is reported.
    package var copyMaximum: Int64 = 24 * 3600
    /// Apple's CDN caches failures for an hour (observed: `max-age=3600`); twice that is reported.
    package var failedCopyMaximum: Int64 = 2 * 3600
    /// From a change of the site's folder to the first response with it: reload, roll-out, caches
    /// in between (the recommended `Cache-Control` is an hour at most).
    package var publicationMaximum: Int64 = 3600
    /// Apple: devices request again about once a week. After that a removed app is lost everywhere.
    package var lostAppMaximum: Int64 = 7 * 86_400
    /// Between full checks; brief checks in between cover only what changes by itself.
    package var fullLook: Int64 = 3600
    /// Maximum of lost apps to report one by one; the others of the same host are counted.
    package var lostAppsTold = 20

    package init(interval: Int64) { self.interval = interval }

    /// Maximum delay of checks in milliseconds before the watcher is not ready: half an interval,
    /// so that every other host was still on time. At least ten seconds, as a loaded machine may
    /// delay a thread for that long.
    package var latenessMaximum: Int64 { max(10_000, interval * 500) }

    /// How long a problem may last before it is reported, if it takes time by design.
    func grace(_ code: String) -> Int64 {
        switch code {
        case CheckCode.cdnStale.rawValue: copyMaximum
        case CheckCode.documentUnpublished.rawValue: publicationMaximum
        case let code where code.hasPrefix("cdn-"): failedCopyMaximum
        default: 0
        }
    }
}
