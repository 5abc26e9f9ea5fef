import Testing

@testable import AppSiteAssociation

@Suite struct AppFamilyTests {
    private func related(_ left: [String], _ right: [String]) -> Bool {
        var numbers = NameNumbers<[UInt8]>()
        let families = (
            AppFamily(left.map { "9JA89QQLNQ.\($0)" }, &numbers),
            AppFamily(right.map { "D3KQX62K1A.\($0)" }, &numbers)
        )
        let isRelated = families.0.isRelated(to: families.1)
        #expect(families.1.isRelated(to: families.0) == isRelated)
        return isRelated
    }

    @Test(arguments: [
        // One app under several teams, builds of it, and parts of it.
        ("com.example.shop", "com.example.shop", true),
        ("com.example.shop", "com.Example.SHOP", true),
        ("com.example.shop", "com.example.shop.dev", true),
        ("com.example.shop", "com.example.shop-beta", true),
        ("com.example.shop", "com.example.shop_qa", true),
        ("com.example.shop", "com.example.shopStaging", true),
        ("com.example.shop", "com.example.shop2", true),
        ("com.example.shop12", "com.example.shop2.dev3", true),
        ("com.example.shop", "com.example.shop.clip", true),
        ("com.example.shop", "com.example.shop.one.two", true),
        ("com.example.shop.one", "com.example.shop.one.two", true),
        ("com.example.app", "com.example.ios", true), ("com.example.app", "com.example.dev", true),
        ("com.example.app", "com.example.news", false),
        // Other apps of one company, and other companies.
        ("com.example.shop", "com.example.news", false),
        ("com.example.shop.one", "com.example.shop.two", false),
        ("com.example.shop", "com.other.shop", false),
        ("com.example.shop", "org.example.shop", false),
        ("com.example.shopping", "com.example.shop", false),
        // A suffix is one behind a word of two letters and more.
        ("com.example.webapp", "com.example.web", true),
        ("com.example.xxapp", "com.example.xx", true), ("com.example.xapp", "com.example.x", false),
        // Words of builds only behind the company's domain.
        ("com.dev.shop", "com.beta.shop", false), ("dev.example.shop", "beta.example.shop", false),
        ("com.example.shop.pro", "com.example.shop.catalyst", true),
        ("com.example.shop.distribution", "com.example.shop", true),
    ]) func buildsOfOneAppAreRelated(_ left: String, _ right: String, _ isRelated: Bool) {
        #expect(related([left], [right]) == isRelated)
    }

    @Test func oneOfManyIsEnough() {
        let many = ["com.a.one", "com.b.two", "com.example.shop.clip"]
        #expect(related(many, ["com.c.four", "com.example.shop"]))
        #expect(!related(many, ["com.c.four", "com.example.news"]))
        #expect(!related([], many) && !related([], []))
    }

    /// What a comparison may cost: a stem for each app, and what lies above it.
    @Test func theSizeIsTheWork() {
        var numbers = NameNumbers<[UInt8]>()
        #expect(AppFamily(["A.com.example.shop"], &numbers).size == 2)
        #expect(AppFamily(["A.com.example.shop.one.two"], &numbers).size == 4)
        #expect(AppFamily(["A.com.example.shop", "A.com.example.shop"], &numbers).size == 2)
    }
}
