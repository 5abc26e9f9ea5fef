/// The target of `/.well-known/change-password` (W3C, *A Well-Known URL for Changing Passwords*).
enum ChangePasswordRules {
    static let rules = [notURL, insecure, loop]
    private static let w3c = "W3C, A Well-Known URL for Changing Passwords"
    private static func file(_ text: String) -> LintExample {
        LintExample(text + "\n", file: "change-password")
    }
    private static let good = file("https://example.com/account/password")

    static let notURL = LintRule(
        "change-password-target", .error, "the target is neither a URL nor a path",
        why:
            "The well-known address redirects (302, 303, 307) to the page where passwords are "
            + "changed.",
        fix: "write the page's URL, or its path on this host", .documented, w3c,
        bad: file("account/password"), good: good)
    static let insecure = LintRule(
        "change-password-insecure", .error, "the target is not https",
        why: "Password managers do not follow a redirect to an unprotected page.",
        fix: "write https://", .documented, w3c, bad: file("http://example.com/account/password"),
        good: good)
    static let loop = LintRule(
        "change-password-loop", .error, "the target is the well-known address itself",
        why: "The page must not live there: the redirect would lead to itself.",
        fix: "name the page where passwords are changed", .documented, w3c,
        bad: file("/.well-known/change-password"), good: good)

    static func check(_ context: inout LintContext) {
        var bytes = context.source.bytes[...]
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        let text = String(decoding: bytes, as: UTF8.self)
        let range = 0..<bytes.count
        let address = WebAddress(text)
        guard let path = address?.rest ?? (text.hasPrefix("/") ? text : nil),
            !text.hasPrefix("//")
        else {
            context.report(notURL, at: range, "\"\(text)\" is neither a URL nor a path")
            return
        }
        if address?.scheme == "http" {
            context.report(insecure, at: range, "\"\(text)\" is not https")
        }
        if path.hasPrefix("/.well-known/change-password") {
            context.report(loop, at: range, "\"\(text)\" leads to itself")
        }
    }
}
