import TestSupport
import Testing

@testable import AASADevice

@Suite struct AppBundleTests {
    @Test("says who it is and what it claims")
    func app() throws {
        let app = try MadeBuild.shop(["applinks:example.com", "webcredentials:example.com"])
            .read().main
        #expect(app.path == "Payload/Shop.app" && app.name == "Shop.app" && app.kind == .app)
        #expect(app.identifier == "com.example.shop" && app.version == "1.2 (34)")
        expectEqual(app.application, MadeBuild.app)
        expectEqual(
            app.domains.map(\.text), ["applinks:example.com", "webcredentials:example.com"])
        #expect(!app.isForDevelopment)
        #expect(try MadeBuild.shop(kind: "development").read().main.isForDevelopment)
    }

    @Test("tells apps, App Clips, extensions and watch apps")
    func kinds() throws {
        let build = try MadeBuild.family().read()
        expectEqual(build.bundles.map(\.kind), [.app, .appClip, .extension, .watchApp])
        expectEqual(build.bundles.map(\.container), [nil, 0, 0, 0])
    }

    @Test("reads apps of macOS, and Info.plist in both forms")
    func mac() throws {
        var made = MadeBuild([
            MadeBundle("Products/Applications/Shop.app", "com.example.shop", domains: ["a:b.com"])
        ])
        made.bundles[0].isMac = true
        for isBinary in [false, true] {
            made.binaryInfo = isBinary
            let app = try made.read().main
            #expect(app.application == MadeBuild.app && app.domains.count == 1)
            #expect(app.profile != nil && app.slices.count == 1)
        }
    }

    @Test("without entitlements the profile tells the prefix")
    func prefix() throws {
        var made = MadeBuild.shop()
        made.bundles[0].entitlements = nil
        made.bundles[0].profile?["ApplicationIdentifierPrefix"] = ["ABCDE12345"]
        try expectEqual(made.read().main.application, "ABCDE12345.com.example.shop")
        made.bundles[0].profile = nil
        #expect(try made.read().main.application == nil)
    }
}
