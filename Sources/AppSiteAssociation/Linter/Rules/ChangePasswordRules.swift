/// The target of `/.well-known/change-password` (W3C, *A Well-Known URL for Changing Passwords*).
enum ChangePasswordRules {
    static func check(_ context: inout LintContext) {
        var bytes = context.source.bytes[...]
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        let text = String(decoding: bytes, as: UTF8.self)
        let range = 0..<bytes.count
        let address = WebAddress(text)
        guard let path = address?.rest ?? (text.hasPrefix("/") ? text : nil),
            !text.hasPrefix("//")
        else { return context.report("change-password-target", at: range, text) }
        if address?.scheme == "http" { context.report("change-password-insecure", at: range, text) }
        if path.prefix(while: { $0 != "?" && $0 != "#" }) == "/.well-known/change-password" {
            context.report("change-password-loop", at: range, text)
        }
    }
}
