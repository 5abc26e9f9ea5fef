import AppSiteAssociation
import TestSupport
import Testing

@testable import AASADevice

@Suite struct EntitlementsTests {
    private static func value(_ xml: String) throws -> JSONValue {
        try PropertyListReader.read(SourceText(name: "list", text: "<plist>\(xml)</plist>"))
    }

    @Test("a string stands for a list of one")
    func strings() throws {
        let value = try Self.value(
            "<dict><key>a</key><string>z</string><key>b</key><array><string>y</string><true/>"
                + "</array></dict>")
        #expect(value["a"]?.entries == ["z"] && value["b"]?.entries == ["y"])
        expectEqual(value.entries, [])
    }

    @Test(
        "finds what differs",
        arguments: [
            ("<dict/>", "<dict/>", [String]()),
            ("<dict><key>a</key><true/></dict>", "<dict/>", ["a"]),
            ("<dict/>", "<dict><key>a</key><true/></dict>", ["a"]),
            (
                "<dict><key>a</key><true/><key>b</key><integer>1</integer></dict>",
                "<dict><key>b</key><integer>2</integer><key>a</key><true/></dict>", ["b"]
            ),
            (
                "<dict><key>a</key><array><string>x</string></array></dict>",
                "<dict><key>a</key><array><string>x</string><string>y</string></array></dict>",
                ["a"]
            ),
            (
                "<dict><key>a</key><dict><key>b</key><false/></dict></dict>",
                "<dict><key>a</key><dict><key>b</key><true/></dict></dict>", ["a"]
            ),
            (
                "<dict><key>a</key><string>true</string></dict>",
                "<dict><key>a</key><true/></dict>", ["a"]
            ),
        ])
    func differences(left: String, right: String, keys: [String]) throws {
        try expectEqual(Self.value(left).differences(from: try Self.value(right)), keys)
    }

    @Test(
        "a profile allows a value, all that begin alike, or the members of a list",
        arguments: [
            ("<string>a.b</string>", "<string>a.b</string>", [String]()),
            ("<string>a.b</string>", "<string>a.*</string>", []),
            ("<string>a.b</string>", "<string>*</string>", []),
            ("<string>a.b</string>", "<string>a.c</string>", ["a.b"]),
            ("<string>a.b</string>", "<array><string>x</string><string>a.b</string></array>", []),
            ("<array><string>x</string><string>y</string></array>", "<string>*</string>", []),
            (
                "<array><string>x</string><string>y</string></array>",
                "<array><string>x</string></array>", ["y"]
            ),
            ("<true/>", "<true/>", []), ("<true/>", "<false/>", ["true"]),
            ("<false/>", "<true/>", []),
            ("<integer>1</integer>", "<integer>1</integer>", []),
            ("<integer>1</integer>", "<integer>2</integer>", ["1"]),
            ("<dict/>", "<dict/>", []), ("<dict/>", "<true/>", ["another dictionary"]),
        ])
    func refused(signed: String, allowed: String, rest: [String]) throws {
        try expectEqual(Self.value(signed).refused(by: try Self.value(allowed)), rest)
    }
}
