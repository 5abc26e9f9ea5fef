import Testing

@testable import HTTP

struct HTTP1RequestTests {
    @Test func octets() throws {
        let request = HTTP1Request(
            target: "/x?y=1",
            fields: [HTTPField(name: "Host", value: "a"), HTTPField(name: "Accept", value: "*/*")])
        #expect(
            try request.octets()
                == Array("GET /x?y=1 HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n".utf8))
    }

    @Test(arguments: [
        (HTTP1Request(method: "G T", target: "/", fields: []), HTTP1Request.Invalid.method),
        (HTTP1Request(target: "/ x", fields: []), .target),
        (HTTP1Request(target: "", fields: []), .target),
        (
            HTTP1Request(target: "/", fields: [HTTPField(name: "A:", value: "b")]),
            .field(name: "A:")
        ),
        (
            HTTP1Request(target: "/", fields: [HTTPField(name: "A", value: "b\r\nC: d")]),
            .field(name: "A")
        ),
    ])
    func invalid(request: HTTP1Request, expected: HTTP1Request.Invalid) {
        #expect(throws: expected) { try request.octets() }
    }
}
