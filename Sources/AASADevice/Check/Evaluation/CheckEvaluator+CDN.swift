import AASAClient
import AppSiteAssociation

extension CheckEvaluator {
    mutating func evaluateCDN() {
        guard let exchange = evidence[.cdn] else { return }
        guard !evidence.cdnIsOutOfReach, let head = exchange.head else {
            add("cdn-unreachable", exchange.summary, exchange)
            return
        }
        let origin = evidence.documentExchange
        if head.status == 200 {
            evaluateCopy(exchange, head, origin)
            return
        }
        let failure = CDNFailure(head)
        add(failure.code, failure.message(head), exchange, fix: failure.group)
        if let origin, CheckEvaluator.isServed(origin) {
            let left = CDNFailure.secondsLeft(head).map {
                "; this copy expires in \(spanText($0))"
            }
            add(
                "cdn-negative-cached", "the origin answers 200 now\(left ?? "")", exchange,
                fix: failure.mayBeBlocked ? "blocked" : nil)
        }
    }

    private mutating func evaluateCopy(
        _ exchange: ClientExchange, _ head: ResponseHead, _ origin: ClientExchange?
    ) {
        guard let origin, CheckEvaluator.isServed(origin),
            let old = DocumentComparison.document(exchange.body),
            let new = DocumentComparison.document(origin.body)
        else { return }
        let changes = AssociationDiff.diff(old, new)
        guard let first = changes.first else { return }
        let more = changes.count > 1 ? ", and \(changes.count - 1) more changes" : ""
        let left = CDNFailure.secondsLeft(head).map { "; the copy expires in \(spanText($0))" }
        let age = head.age ?? 0
        add(
            "cdn-stale", "since the CDN asked: \(first)\(more)\(left ?? "")", exchange,
            remedy: age > 86_400
                ? "The copy is \(spanText(age)) old, and the CDN asks within 24 hours: it may get no "
                    + "answer now. Ask the owner of the firewall whether /.well-known/ is open to "
                    + "every address; then install the app again." : nil)
    }
}

/// The failure reason of Apple's CDN: `Apple-Failure-Reason: SWCERR00101 Bad HTTP Response: …`.
struct CDNFailure {
    /// The number after `SWCERR`, if any. The first three digits seem to be a group: 001 HTTP, 002
    /// addresses, 003 network, 004 content.
    let number: String?
    let text: String
    /// Whether a firewall may turn away the CDN, and no other client.
    let mayBeBlocked: Bool

    init(_ head: ResponseHead) {
        let reason = head.value("Apple-Failure-Reason") ?? ""
        let digits = reason.hasPrefix("SWCERR") ? reason.dropFirst(6).prefix(5) : ""
        number = digits.count == 5 && digits.allSatisfy(\.isNumber) ? String(digits) : nil
        text = reason
        let details = head.value("Apple-Failure-Details") ?? ""
        mayBeBlocked =
            number == "00301"
            || ["301", "302", "401", "403", "429", "451", "503"].contains {
                (reason + details).contains($0 + " ") || (reason + details).contains("\"\($0)")
            }
    }

    var code: String {
        switch number {
        case "00101": "cdn-bad-status"
        case "00202": "cdn-private-address"
        case "00301": "cdn-timeout"
        case "00401": "cdn-bad-json"
        default: text.isEmpty ? "cdn-not-found" : "cdn-unknown-failure"
        }
    }

    /// The word of the fix for an undocumented code.
    var group: String? { number.map { String($0.prefix(3)) } }

    func message(_ head: ResponseHead) -> String {
        var parts = [text.isEmpty ? "status \(head.status) without a reason" : text]
        if let details = head.value("Apple-Failure-Details") { parts.append(Self.decode(details)) }
        if let from = head.value("Apple-From") { parts.append("asked at \(from)") }
        return parts.joined(separator: "; ")
    }

    /// `{"status":"403 Forbidden"}` as `status: 403 Forbidden`.
    static func decode(_ details: String) -> String {
        guard let document = try? JSONReader.read(SourceText(name: "details", text: details)),
            let members = document.root.members
        else { return details }
        return members.map { member in
            let value =
                member.value.string
                ?? String(
                    decoding: JSONWriter.minified(member.value), as: UTF8.self)
            return "\(member.key): \(value)"
        }.joined(separator: ", ")
    }

    /// Seconds until the CDN's copy expires: max-age minus Age.
    static func secondsLeft(_ head: ResponseHead) -> Int? {
        head.cacheSeconds(["max-age"]).first.map { max(0, $0 - (head.age ?? 0)) }
    }
}

extension ResponseHead {
    /// The seconds since the origin made or confirmed the response (RFC 9111 section 5.1).
    var age: Int? { value("Age").flatMap { Self.deltaSeconds($0.trimmingBlanks) } }

    /// The seconds of these directives of Cache-Control, in their order.
    func cacheSeconds(_ names: [String]) -> [Int] {
        let control = values("Cache-Control").joined(separator: ",").lowercased()
        return control.split(separator: ",").compactMap { directive in
            let parts = directive.split(separator: "=")
            guard parts.count == 2, names.contains(parts[0].trimmingBlanks) else { return nil }
            return Self.deltaSeconds(parts[1].trimmingBlanks)
        }
    }

    /// The media type of Content-Type, without parameters; empty without one.
    var mediaType: String { Self.mediaType(of: value("Content-Type")) }

    static func mediaType(of type: String?) -> String {
        (type ?? "").prefix { $0 != ";" }.lowercased().trimmingBlanks
    }

    /// RFC 9111 section 1.2.2: not negative; what is larger than 2³¹ counts as that.
    private static func deltaSeconds(_ text: some StringProtocol) -> Int? {
        Int(text).map { min(max(0, $0), 1 << 31) }
    }
}
