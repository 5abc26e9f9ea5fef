import AASAClient
import AppSiteAssociation

extension CheckEvaluator {
    mutating func evaluateSiblings() {
        for sibling in Sibling.all {
            guard let exchange = evidence[.sibling(sibling.path)], let status = exchange.status
            else { continue }
            switch (sibling.kind, status) {
            case (.absent, 200..<300):
                add(
                    "sibling-status", "a path that must not exist has status \(status)", exchange,
                    fix: "absent")
            case (.json, 200), (.text, 200): evaluateDocument(sibling, exchange)
            case (.json, 404), (.json, 410), (.text, 404), (.text, 410), (.redirect, 404):
                add("sibling-missing", "\(sibling.path) is not there", exchange)
            case (.json, 300..<400):
                add("sibling-redirect", "the answer is \(status)", exchange)
            case (.absent, _), (.redirect, 200), (.redirect, 300..<400): break
            case (.redirect, _), (_, 400...):
                add("sibling-status", "the answer is \(status)", exchange)
            default: break
            }
        }
    }

    private mutating func evaluateDocument(_ sibling: Sibling, _ exchange: ClientExchange) {
        if sibling.kind == .json, exchange.head?.mediaType != "application/json" {
            let type = exchange.head?.value("Content-Type") ?? ""
            add("sibling-content-type", "Content-Type: \(type.isEmpty ? "none" : type)", exchange)
        }
        let name = sibling.path.split(separator: "/").last.map(String.init) ?? ""
        let problems = Linter.lint(
            SourceText(name: exchange.request.url, bytes: exchange.body),
            as: LintKind(fileName: name), options: LintOptions(now: Int(evidence.now)))
        findings += problems.filter { $0.severity > .note }
    }
}
