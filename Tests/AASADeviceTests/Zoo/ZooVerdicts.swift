import AASADevice

/// What devices of each era make of each animal, and how `aasa check` ends: one row each.
///
/// Eras in order: iOS 8, 9.3 to 12, 13, 14 and later, developer mode. A associated, D denied, R
/// will ask again, F no usable answer, - never asks; services with different verdicts stand
/// together. The last column is the exit status.
enum ZooVerdicts {
    static let rows: [String: String] = {
        var rows: [String: String] = [:]
        for line in table.split(separator: "\n") {
            let name = line.prefix { $0 != "|" }
            rows[String(name).trimmed] = String(line)
        }
        return rows
    }()

    static func row(_ animal: Animal, _ report: CheckReport) -> String {
        let eras: [Era] = [.ios8, .ios93, .ios13, .ios14, .developer]
        let words = eras.map { era -> String in
            let letters = report.evidence.eras.filter { $0.era == era }.map { letter($0.verdict) }
            let asking = Set(letters).subtracting(["-"]).sorted().joined()
            return asking.isEmpty ? (letters.isEmpty ? "?" : "-") : asking
        }
        return "\(animal.name) | \(words.joined(separator: " ")) | "
            + (report.fails(at: .error) ? "1" : "0")
    }

    private static func letter(_ verdict: Verdict) -> String {
        switch verdict {
        case .associated: "A"
        case .denied: "D"
        case .willRetry: "R"
        case .failed: "F"
        case .skipped: "-"
        }
    }

    private static let table = """
        good | D A A A A | 0
        good with RSA only | D A A A A | 0
        good with two certificates | D A A A A | 0
        good with an intermediate | D A A A A | 0
        good with TLS 1.2 only | D A A A A | 0
        good with TLS 1.3 only | F F A A A | 0
        good in chunks | D A A A A | 0
        good, ended by the connection's end | D A A A A | 0
        good with a charset | D A A A A | 0
        good and signed | A A A A A | 0
        good, signed for old devices only | A A A A A | 0
        good with a fresh copy | D A A A A | 0
        expired certificate | F F R R R | 1
        certificate of tomorrow | F F R R R | 1
        certificate ends soon | D A A A A | 0
        certificate of another host | F F R R R | 1
        certificate with a common name alone | D A R R R | 1
        certificate for 826 days | D A R A R | 1
        certificate that names no use | D A R A R | 1
        self-signed certificate | F F R R R | 1
        unknown authority | F F R R R | 1
        intermediate missing | F F R R R | 1
        certificate for clients | F F R R R | 1
        RSA certificate expired beside a good one | D A A A A | 1
        TLS 1.1 at most | - F R R R | 1
        plain HTTP on the TLS port | - F R R R | 1
        another protocol on the port | - F R R R | 1
        only short hellos | D A A A A | 0
        closed in the handshake | - F R R R | 1
        reset in the handshake | - F R R R | 1
        silent in the handshake | - F R R R | 1
        two types | D A A A A | 0
        no answer | - F R R R | 1
        late answer | D A A A A | 0
        reset instead of an answer | - F R R R | 1
        closed instead of an answer | - F R R R | 1
        head cut short | - F R R R | 1
        body cut short | - F R R R | 1
        chunks cut short | - F R R R | 1
        Content-Length too small | - D D R D | 1
        not HTTP | - F R R R | 1
        two lengths | - F R R R | 1
        endless body | - F R R R | 1
        three megabytes | - F R R R | 1
        a bomb | - F R R R | 1
        a head of 200 KB | - F R R R | 1
        chunks without an end | - F R R R | 1
        fewer bytes than promised | - F R R R | 1
        no length and no close | - F R R R | 1
        no END_STREAM | D F R R R | 1
        conditional 304 | D A A A A | 0
        conditional 412 | D A A A A | 0
        range 416 | D A A A A | 0
        HEAD not allowed | D A A A A | 0
        HEAD with a body | D A A A A | 0
        kept for a month | D A A A A | 0
        HTTP/2 that does not work | D F R R R | 1
        two documents | D A A A A | 0
        root path only | D A D R R | 1
        status 204 No Content | - F R R R | 1
        status 206 Partial Content | - F R R R | 1
        status 304 Not Modified | - D D R R | 1
        status 401 Unauthorized | - D D R R | 1
        status 403 Forbidden | - D D R R | 1
        status 404 Not Found | - D D R R | 1
        status 405 Method Not Allowed | - D D R R | 1
        status 410 Gone | - D D R R | 1
        status 418 I'm a teapot | - D D R R | 1
        status 429 Too Many Requests | - D D R R | 1
        status 500 Internal Server Error | - R R R R | 1
        status 502 Bad Gateway | - R R R R | 1
        status 503 Service Unavailable | - R R R R | 1
        to http | - D D R R | 1
        to a trailing slash | - D D R R | 1
        to www | - D D R R | 1
        to a login | - D D R R | 1
        to a language | - D D R R | 1
        to the home page | - D D R R | 1
        in a circle | - D D R R | 1
        to nowhere | - D D R R | 1
        crawler blocked | D A A R A | 1
        devices blocked | D D D A R | 1
        unknown agents blocked | D A A A A | 0
        no agent blocked | D A A A A | 0
        another document for devices | D A A A A | 0
        challenge of Cloudflare | - D D R R | 1
        challenge of AWS WAF | - D D R R | 1
        challenge of DataDome | - D D R R | 1
        challenge of Imperva | - D D R D | 1
        challenge of Akamai | - D D R R | 1
        challenge of Vercel | - D D R R | 1
        challenge of a captcha | - D D R D | 1
        empty body | - D D R D | 1
        single-page application | - D D R D | 1
        served as octets | D A A A A | 0
        without a type | D A A A A | 0
        compressed unasked | D A A A A | 0
        compressed when asked | D A A A A | 0
        compressed, and damaged | - F R R R | 1
        compressed with a coding that nobody offers | F F R R R | 1
        a charset for a coding | D A A A A | 0
        a coding that an upload left behind | D A A A A | 0
        trailing comma | - D D R D | 1
        json-comment | - D D R D | 1
        byte order mark | D A A A A | 0
        cut in the middle | - D D R D | 1
        placeholder for the team | D A A A A | 1
        misspelt key | D A A A A | 1
        too large | D F R R R | 1
        app not listed | D D D D D | 1
        signed, expired | D D D D D | 1
        signed for another host | D D D D D | 1
        signed, with a common name alone | A A D D D | 1
        signed by itself | D D D D D | 1
        signed by an unknown authority | D D D D D | 1
        signed without the intermediate | D D D D D | 1
        signed as PEM | - D D R D | 1
        signed, with a line feed behind | A A A A A | 0
        signed, cut short | - D D D D | 1
        signed, content changed | D D D D D | 1
        signed, read as text | - D D D D | 1
        signed, with mail headers inside | - D D D D | 1
        signed, as JSON | D A A A A | 0
        signed, without a type | D A A A A | 0
        signed, not JSON inside | - D D D D | 1
        CDN: 403 | D A A R A | 1
        CDN: private address | D A A R A | 1
        CDN: timeout | D A A R A | 1
        CDN: bad JSON | D A A R A | 1
        CDN: a code nobody knows | D A A R A | 1
        CDN: 404 without a reason | D A A R A | 1
        CDN: an older document | D A A A A | 0
        CDN: does not answer | D A A A A | 0
        siblings that are not there | D A A A A | 0
        assetlinks redirected | D A A A A | 1
        webauthn as text | D A A A A | 1
        assetlinks forbidden | D A A A A | 1
        every path exists | D A A A A | 1
        client certificate demanded in the handshake | - F R R R | 1
        alert: handshake_failure | - F R R R | 1
        alert: unrecognized_name | - F R R R | 1
        alert: protocol_version | - F R R R | 1
        client certificate demanded by nginx | - D D R R | 1
        client certificate demanded by IIS | - D D R R | 1
        status 400 Bad Request | - D D R R | 1
        login page with status 200 | - D D R D | 1
        login page with status 403 | - D D R R | 1
        captive portal | - R R R R | 1
        blocked by country: 451 | - D D R R | 1
        blocked by country: CloudFront | - D D R R | 1
        blocked by country: Cloudflare | - D D R R | 1
        good, drop by drop | D A A A A | 0
        drop by drop for ever | - F R R R | 1
        chunked and cut in a chunk's size | - F R R R | 1
        chunk size that is no number | - F R R R | 1
        UTF-16 | - D D R D | 1
        Latin-1 | - D D R D | 1
        good with a wrong label | D A A A A | 0
        type of a script | D A A A A | 0
        plain, with the type of the signed form | D A A A A | 1
        another document over HTTP/2 | D A A A A | 1
        404 over HTTP/2 | D D D R R | 1
        GOAWAY at once | D F R R R | 1
        stream reset | D F R R R | 1
        closed after the settings | D F R R R | 1
        a frame larger than allowed | D F R R R | 1
        good over HTTP/2 | D A A A A | 0
        IPv6 address that refuses | D A A A A | 1
        IPv4 address that refuses | D A A A A | 1
        nobody listens | - F R R R | 1
        """
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
