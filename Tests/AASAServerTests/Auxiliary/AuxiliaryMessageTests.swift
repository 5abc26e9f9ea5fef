import HTTP
import TestSupport
import Testing

@testable import AASAServer

@Suite struct AuxiliaryMessageTests {
    @Test func isSentAsAWholeMessage() {
        let response = AuxiliaryResponse(200, text: "ready\n")
        let text = String(decoding: response.serialized(headOnly: false), as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n"))
        #expect(text.hasSuffix("Content-Length: 6\r\nConnection: close\r\n\r\nready\n"))
        let head = String(decoding: response.serialized(headOnly: true), as: UTF8.self)
        #expect(head.hasSuffix("Content-Length: 6\r\nConnection: close\r\n\r\n"))
    }

    @Test func hasTheFieldsOfAllPagesAndItsOwn() {
        let response = AuxiliaryResponse(
            405, type: "text/html", [], [HTTPField(name: "Allow", value: "GET")])
        expectEqual(response.value(of: "Content-Type"), "text/html")
        expectEqual(response.value(of: "Cache-Control"), "no-store")
        expectEqual(response.value(of: "X-Frame-Options"), "DENY")
        expectEqual(response.value(of: "Allow"), "GET")
        #expect(response.value(of: "Location") == nil)
    }
}
