import AASAClient

/// Bot protection that replaces the document, detected by common properties of its pages and heads.
struct Challenge: Sendable {
    /// Also the word of its fix in the catalogue, at `answer-challenge`.
    let name: String
    let remedy: String?

    /// The vendor of the challenge; nil for an ordinary response.
    static func vendor(_ exchange: ClientExchange) -> Challenge? {
        guard let head = exchange.head else { return nil }
        // JSON is never a challenge, whatever its content.
        if let first = exchange.body.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{"),
            head.status == 200
        {
            return nil
        }
        let remedies = CheckCatalog.entry("answer-challenge")?.remedies ?? [:]
        let name = PageSigns.name(in: HTMLPage.text(exchange.body), head) { remedies[$0] != nil }
        return name.map { Challenge(name: $0, remedy: remedies[$0]) }
    }
}
