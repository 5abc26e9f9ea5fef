import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct AppIdentifierRulesTests: LintSuite {
    private func found(_ app: String) -> [String] {
        codes("{\"webcredentials\": {\"apps\": [\"\(app)\"]}}")
    }

    @Test(arguments: [
        ("9JA89QQLNQ.com.example.shop", nil as String?), ("", "app-id-empty"),
        ("9JA89QQLNQ.com.a b", "app-id-blank"), ("9JA89QQLNQ.com.*", "app-id-wildcard"),
        ("$(TeamIdentifierPrefix)com.a", "app-id-placeholder"),
        ("1234567890.com.a", "app-id-store-number"), ("com.example.shop", "app-id-prefix-missing"),
        ("9JA89QQLN.com.a", "app-id-prefix-length"), ("9JA89QQLNq.com.a", "app-id-prefix-letters"),
        ("9JA89QQLNQ.", "app-id-bundle-missing"), ("9JA89QQLNQ.com.a_b", "app-id-bundle-letters"),
        ("9JA89QQLNQ.com..a", "app-id-bundle-letters"),
    ]) func everyProblemHasItsRule(_ app: String, _ code: String?) {
        expectEqual(found(app), [code].compactMap { $0 })
    }

    /// What has the form of an identifier is a warning; what has not, a placeholder.
    @Test(arguments: [
        ("ABCDE12345.com.a", "app-id-sample"), ("XXXXXXXXXX.com.a", "app-id-sample"),
        ("9JA89QQLNQ.com.YourCompany.a", "app-id-sample"),
        ("9JA89QQLNQ.com.your-company.a", "app-id-sample"),
        ("ABCD1234.com.a", "app-id-placeholder"),
        ("9JA89QQLNQ.com.changeme.*", "app-id-placeholder"),
    ]) func templatesAreTold(_ app: String, _ code: String) {
        expectEqual(found(app), [code])
    }

    /// Another prefix alone does not make the identifier valid.
    @Test(arguments: [
        ("ABCDE12345.com.a ", "app-id-blank"), ("ABCDE12345.com.*", "app-id-wildcard"),
        ("ABCDE12345", "app-id-bundle-missing"),
    ]) func whatIsWrongBehindASampleIsReported(_ app: String, _ code: String) {
        expectEqual(Set(found(app)), ["app-id-sample", code])
    }
}
