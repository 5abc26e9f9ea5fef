import AppSiteAssociation
import TestSupport
import Testing

@testable import AASADevice

@Suite struct ProvisioningProfileTests {
    @Test(arguments: ["development", "ad-hoc", "enterprise", "app-store"])
    func kinds(kind: String) throws {
        let profile = try #require(try MadeBuild.shop(kind: kind).read().main.profile)
        expectEqual(profile.kind.rawValue, kind)
        expectEqual(profile.name, "\(kind) of com.example.shop")
        #expect(profile.teams == [MadeBuild.team] && profile.prefixes == [MadeBuild.team])
        expectEqual(profile.entitlements[EntitlementFile.domainsKey]?.string, "*")
    }

    @Test("ends with its last second")
    func expires() throws {
        let list: ListValue = [
            "Entitlements": [:], "ExpirationDate": .date("2026-11-27T12:00:00Z"),
        ]
        let profile = try #require(ProvisioningProfile(list.xml, name: "profile"))
        #expect(!profile.isExpired(at: 1_795_780_800))
        #expect(profile.isExpired(at: 1_795_780_801))
        let endless: ListValue = ["Entitlements": [:]]
        expectEqual(ProvisioningProfile(endless.xml, name: "")?.isExpired(at: .max), false)
    }

    @Test("what is no profile is none")
    func others() throws {
        let noEntitlements: ListValue = ["Name": "x"]
        for bytes in [[], [0x30], [0x30, 0x82, 1], Array("hello".utf8), noEntitlements.xml] {
            #expect(ProvisioningProfile(bytes, name: "") == nil)
        }
        var build = MadeBuild.shop()
        let signed = try #require(
            try build.files().first { $0.0.hasSuffix("mobileprovision") }?.1)
        #expect(ProvisioningProfile(signed, name: "") != nil)
        for index in stride(from: 0, to: signed.count, by: 7) {
            var bytes = signed
            bytes[index] ^= 0xFF
            _ = ProvisioningProfile(bytes, name: "")
            _ = ProvisioningProfile(Array(signed[..<index]), name: "")
        }
        build.bundles[0].profileBytes = [0x30, 0x82]
        try expectEqual(build.codes(), ["profile-unreadable"])
    }
}
