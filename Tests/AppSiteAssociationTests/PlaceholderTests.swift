import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct PlaceholderTests {
    @Test(arguments: [
        ("9JA89QQLNQ.com.yourapp", "yourapp" as String?), ("com.AppName", "AppName"),
        ("a.IDENTIFIER.b", "IDENTIFIER"), ("a.Identifier.b", nil), ("a.placeholder", nil),
        ("com.yourapps", nil), ("com.myyourapp", nil), ("yourorg", "yourorg"), ("a..", nil),
        ("a.organization-identifier.b", "organization-identifier"), ("", nil),
        // What is longer than any identifier is not looked through.
        (String(repeating: "a", count: 248) + ".yourapp", "yourapp"),
        (String(repeating: "a", count: 249) + ".yourapp", nil),
    ]) func wholePartsStandIn(_ app: String, _ part: String?) {
        expectEqual(Placeholder.part(of: app), part)
    }

    @Test(arguments: [
        "<%= team %>.com.a", "{{team}}.com.a", "${TEAM}.com.a", "%TEAM%.com.a", "[TEAM].com.a",
        "@TEAM@.com.a", "__TEAM__.com.a", "#{team}.com.a", "YOUR_DOMAIN", "CUSTOM_DOMAIN_HERE",
        "your-domain.com", "yourdomainhere.com", "ihre-domain.de", "votre-domaine.fr",
        "tu-dominio.es", "seudominio.com.br", "tuodominio.it", "jouwdomein.nl", "www.你的域名.com",
        "ваш-домен.рф", "D3KQX62K1A.BUNDLE_ID", "D3KQX62K1A.com.yourCompany.yourApp",
    ])
    func templatesOfAllKinds(_ text: String) {
        #expect(Placeholder.part(of: text) != nil)
    }

    @Test(arguments: [
        "www.example.com", "D3KQX62K1A.com.acme.myapp", "mysite.com", "shop.company.com",
        "D3KQX62K1A.com.acme.app", "todo.example.com", "team.example.com", "yourself.com",
        "mydomino.com", "sua.de", "domain.com", "customink.com", "MY_HOST2.example.com",
        "bücher.example", "me@example.com",
    ])
    func namesOfRealSites(_ text: String) {
        #expect(Placeholder.part(of: text) == nil)
    }
}
