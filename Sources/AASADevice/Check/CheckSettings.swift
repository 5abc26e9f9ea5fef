package import AASAClient

/// What `aasa check` wants to know, and how long it may take.
package struct CheckSettings: Sendable {
    /// An application identifier that has to be listed.
    package var app: String?
    package var resolver = Resolver()
    package var authorityFile: String?
    /// See ``ClientRequest/Security/trustsMachine``.
    package var trustsMachine = true
    /// For one request.
    package var limits = ClientRequest.Limits()
    /// For all of a host's requests together: what is not asked by then is not asked.
    package var deadline = Duration.seconds(30)
    /// Requests to one host at once: enough that a slow host is asked everything in time, and few
    /// enough that no rate limiter mistakes it for an attack.
    package var probesAtOnce = 8
    /// Only what changes from one look to the next: the document over each address, Apple's copy
    /// and the devices' verdicts. For watching; the first look at a host asks everything.
    package var isBrief = false
    package var cdn: CDNRoute?
    /// Leave Apple's CDN alone.
    package var skipsCDN = false
    /// Also look at assetlinks.json and its like.
    package var siblings = false
    /// From the request to the first byte.
    package var slowAfter = Duration.seconds(1)
    /// Seconds since 1970.
    package var now: Int64

    package init(now: Int64) { self.now = now }

    /// At most so many addresses are asked: enough to see that some lead nowhere.
    static let addressMaximum = 4
    /// A browser follows 20; a chain this long is a fault already.
    static let hopMaximum = 6
}
