import AppSiteAssociation
import TestSupport
import Testing

@testable import ACME

@Suite struct DirectoryTests {
    private static let url = "https://ca.test/directory"
    private static let least =
        "\"newNonce\":\"https://ca.test/n\",\"newAccount\":\"https://ca.test/a\","
        + "\"newOrder\":\"https://ca.test/o\""

    private func directory(_ text: String, url: String = url) throws -> Directory {
        try Directory(JSONReader.read(text: text).root, url: url)
    }

    @Test func `What is offered is read, and what is not is none`() throws {
        let least = try directory("{\(Self.least)}")
        expectEqual(least.newNonce, "https://ca.test/n")
        expectEqual(least.newAccount, "https://ca.test/a")
        expectEqual(least.newOrder, "https://ca.test/o")
        #expect(least.renewalInfo == nil && least.termsOfService == nil)
        #expect(
            !least.needsExternalAccount && least.profiles.isEmpty && least.caaIdentities.isEmpty)
        let whole = try directory(
            """
            {\(Self.least),"renewalInfo":"https://ca.test/r","meta":{
             "termsOfService":"https://ca.test/t","externalAccountRequired":true,
             "caaIdentities":["ca.test",1,"b.test"],"profiles":{"short":"six days","odd":7}}}
            """)
        expectEqual(whole.renewalInfo, "https://ca.test/r")
        expectEqual(whole.termsOfService, "https://ca.test/t")
        #expect(whole.needsExternalAccount)
        expectEqual(whole.caaIdentities, ["ca.test", "b.test"])
        expectEqual(whole.profiles, ["odd", "short"])
    }

    @Test(arguments: ["newNonce", "newAccount", "newOrder"])
    func `An address that is missing or none is named`(key: String) {
        for value in ["7", "\"\"", "\"file:///etc/passwd\"", "\"https://ca.test/a b\""] {
            let text = "{\(Self.least)}".replacing(
                "\"\(key)\":\"https://ca.test/", with: "\"x\":\"")
            let missing = #expect(throws: InvalidResponse.self) { try directory(text) }
            expectEqual(missing?.what, "the directory has no \"\(key)\"")
            #expect(throws: InvalidResponse.self) {
                try directory(text.dropLast() + ",\"\(key)\":\(value)}")
            }
        }
        #expect(throws: InvalidResponse.self) { try directory("[]") }
    }

    /// RFC 8555 section 6.1: who is asked over HTTPS never sends us elsewhere than to HTTPS.
    @Test func `HTTPS leads to HTTPS alone`() throws {
        let plain = "{\(Self.least)}".replacing("https://ca.test/n", with: "http://ca.test/n")
        #expect(throws: InvalidResponse.self) { try directory(plain) }
        try expectEqual(directory(plain, url: "http://ca.test/d").newNonce, "http://ca.test/n")
        #expect(throws: InvalidResponse.self) {
            try directory("{\(Self.least),\"renewalInfo\":\"http://ca.test/r\"}")
        }
        #expect(throws: InvalidResponse.self) {
            try directory("{\(Self.least),\"renewalInfo\":null}")
        }
    }

    @Test func `Addresses and lists have a bound`() throws {
        let longest = "https://" + String(repeating: "a", count: Resource.bytesMaximum - 8)
        #expect(throws: Never.self) { try Resource.check(longest, "it", Self.url) }
        #expect(throws: InvalidResponse.self) { try Resource.check(longest + "a", "it", Self.url) }
        for odd in ["https://a\u{7F}", "https://a\n", "https://é"] {
            #expect(throws: InvalidResponse.self) { try Resource.check(odd, "it", Self.url) }
        }
        let many = (0..<60).map { "\"p\($0)\":\"\"" }.joined(separator: ",")
        let names = (0..<60).map { "\"h\($0)\"" }.joined(separator: ",")
        let crowded = try directory(
            "{\(Self.least),\"meta\":{\"profiles\":{\(many)},\"caaIdentities\":[\(names)]}}")
        expectEqual(crowded.profiles.count, 50)
        expectEqual(crowded.caaIdentities.count, 20)
    }
}
