import AASAClient
import AppSiteAssociation

extension CheckEvaluator {
    mutating func evaluateSiblings() {
        for sibling in Sibling.all {
            guard let exchange = evidence[.sibling(sibling.path)], let status = exchange.status
            else { continue }
            switch sibling.kind {
            case .absent:
                if (200..<300).contains(status) {
                    add(
                        "sibling-status", "a path that must not exist has status \(status)",
                        exchange,
                        remedy: "Answer unknown paths with 404: password managers distrust "
                            + "change-password otherwise.")
                }
            case .redirect:
                if status == 404 {
                    add("sibling-missing", "\(sibling.path) is not there", exchange)
                } else if status != 200, !(300..<400).contains(status) {
                    add("sibling-status", "the answer is \(status)", exchange)
                }
            case .json, .text: evaluateDocument(sibling, exchange, status)
            }
        }
    }

    private mutating func evaluateDocument(
        _ sibling: Sibling, _ exchange: ClientExchange, _ status: Int
    ) {
        if status == 404 || status == 410 {
            add("sibling-missing", "\(sibling.path) is not there", exchange)
            return
        }
        if (300..<400).contains(status), sibling.kind == .json {
            add("sibling-redirect", "the answer is \(status)", exchange)
            return
        }
        guard status == 200 else {
            if status >= 400 { add("sibling-status", "the answer is \(status)", exchange) }
            return
        }
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
