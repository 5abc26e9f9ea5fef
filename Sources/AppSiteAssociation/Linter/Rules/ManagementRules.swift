/// Declarations of device management with associated domains (`app.managed`; iOS 13 and later as
/// managed app attributes).
enum ManagementRules {
    /// - Returns: whether the document is such a declaration, and so no association document.
    static func check(_ document: JSONDocument, _ context: inout LintContext) -> Bool {
        let kind = document.root["Type"]?.string ?? document.root["PayloadType"]?.string
        guard let kind, kind.hasPrefix("com.apple.") else { return false }
        var waiting = [document.root]
        while let value = waiting.popLast() {
            for member in value.members ?? [] {
                guard member.key == "AssociatedDomains" else {
                    waiting.append(member.value)
                    continue
                }
                for domain in member.value.array ?? [] { check(domain, &context) }
            }
            waiting += value.array ?? []
        }
        return true
    }

    private static func check(_ value: JSONValue, _ context: inout LintContext) {
        guard let text = value.string else { return }
        for problem in EntitlementEntry(text).problems {
            context.add(
                Diagnostic(
                    code: problem.rawValue, severity: problem.severity,
                    message: "\"\(text)\": \(problem.message)", remedy: problem.remedy,
                    source: context.source, range: value.range))
        }
    }
}
