import AppSiteAssociation
import TestSupport
import Testing

@Suite struct ChangePasswordRulesTests: LintSuite {
    @Test(arguments: [
        ("https://example.com/settings", [String]()), ("/settings\n", []),
        ("https://a.example", []),
        ("/settings \r\n\t", []), ("", ["change-password-target"]),
        ("settings", ["change-password-target"]), ("//a.example/x", ["change-password-target"]),
        ("ftp://a.example/", ["change-password-target"]), ("https://", ["change-password-target"]),
        ("http://a.example/x", ["change-password-insecure"]),
        ("/.well-known/change-password", ["change-password-loop"]),
        ("https://a.example/.well-known/change-password?x", ["change-password-loop"]),
        ("/a/.well-known/change-password", []), ("/.well-known/change-passwor", []),
        ("/.well-known/change-password-help", []),
        (
            "http://a.example/.well-known/change-password",
            ["change-password-insecure", "change-password-loop"]
        ),
    ]) func theTargetIsAPageElsewhere(_ text: String, _ wanted: [String]) {
        expectEqual(codes(text, file: "change-password"), wanted)
    }
}
