@testable import ACME

/// Messages of a name server about `shop.test`, and the authorities that read them.
enum CAAMessage {
    /// A message as a name server sends it: the question, then the records, whose names point to
    /// it.
    static func make(_ records: [(type: UInt16, data: [UInt8])]) -> [UInt8] {
        var bytes: [UInt8] = [0, 7, 0x81, 0x80, 0, 1, 0, UInt8(records.count), 0, 0, 0, 0]
        bytes += [4] + Array("shop".utf8) + [4] + Array("test".utf8) + [0, 1, 1, 0, 1]
        for record in records {
            bytes += [0xC0, 12, UInt8(record.type >> 8), UInt8(record.type & 0xFF), 0, 1]
            bytes += [0, 0, 0, 60, 0, UInt8(record.data.count)] + record.data
        }
        return bytes
    }

    static func caa(_ tag: String, _ value: String, flags: UInt8 = 0) -> (UInt16, [UInt8]) {
        (257, [flags, UInt8(tag.utf8.count)] + Array(tag.utf8) + Array(value.utf8))
    }

    /// An authority that goes by these names.
    static func authority(_ identities: [String]?) throws -> AuthorityCheck {
        let names = identities.map { $0.map { "\"\($0)\"" }.joined(separator: ",") } ?? ""
        let text = #"""
            {"newNonce":"https://ca.test/n","newAccount":"https://ca.test/a",
            "newOrder":"https://ca.test/o","meta":{"caaIdentities":[\#(names)]}}
            """#
        var look = AuthorityCheck(url: "https://ca.test/directory")
        look.directory = try Directory(
            AuthorityResponse(status: 200, body: Array(text.utf8)).json("the directory"),
            url: look.url)
        return look
    }
}
