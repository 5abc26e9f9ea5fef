import TestSupport
import Testing

@testable import HTTP

/// What a parse yielded, copied out of the borrowed view.
struct ParsedRequest: Equatable {
    var method: RequestMethod
    var methodName: String
    var version: HTTPVersion
    var target: String
    var path: String
    var authority: String?
    var userAgent: String?
    var hasBody: Bool
    var wantsClose: Bool
    var fault: RejectReason?

    init(_ view: RequestView) {
        method = view.method
        methodName = String(decoding: view.methodName, as: UTF8.self)
        version = view.version
        target = String(decoding: view.target, as: UTF8.self)
        path = String(decoding: view.path, as: UTF8.self)
        authority = view.authority.map { String(decoding: $0, as: UTF8.self) }
        userAgent = view.userAgent.map { String(decoding: $0, as: UTF8.self) }
        hasBody = view.hasBody
        wantsClose = view.wantsClose
        fault = view.fault
    }
}

enum ParseOutcome: Equatable {
    case needMore
    case request(ParsedRequest, consumed: Int)
    case reject(RejectReason)

    init(_ result: HTTP1ParseResult) {
        switch result {
        case .needMore: self = .needMore
        case .request(let view, let consumed): self = .request(.init(view), consumed: consumed)
        case .reject(let reason): self = .reject(reason)
        }
    }

    var request: ParsedRequest? {
        if case .request(let request, _) = self { request } else { nil }
    }

    var rejection: RejectReason? {
        if case .reject(let reason) = self { reason } else { nil }
    }
}

func parseOnce(_ text: String, limits: HTTP1Limits = HTTP1Limits()) -> ParseOutcome {
    parseOnce(Array(text.utf8), limits: limits)
}

func parseOnce(_ octets: [UInt8], limits: HTTP1Limits = HTTP1Limits()) -> ParseOutcome {
    var parser = HTTP1RequestParser(limits: limits)
    return octets.withUnsafeBytes { ParseOutcome(parser.parse($0)) }
}

/// The same bytes one at a time, each call in a buffer of its own.
func parseByByte(_ octets: [UInt8], limits: HTTP1Limits = HTTP1Limits()) -> ParseOutcome {
    var parser = HTTP1RequestParser(limits: limits)
    for count in 1...max(octets.count, 1) {
        let outcome = Array(octets.prefix(count)).withUnsafeBytes {
            ParseOutcome(parser.parse($0))
        }
        if outcome != .needMore { return outcome }
    }
    return .needMore
}

struct HTTP1RequestParserTests {
    static let swcd =
        "GET /.well-known/apple-app-site-association HTTP/1.1\r\nHost: example.com\r\n"
        + "Accept: */*\r\nUser-Agent: swcd/1 CFNetwork/1 Darwin/22\r\n"
        + "Accept-Language: en\r\nAccept-Encoding: gzip, deflate, br\r\n"
        + "Connection: keep-alive\r\n\r\n"

    @Test func phoneRequest() throws {
        let outcome = parseOnce(Self.swcd)
        let request = try #require(outcome.request)
        expectEqual(request.method, .get)
        expectEqual(request.version, .http11)
        expectEqual(request.path, "/.well-known/apple-app-site-association")
        expectEqual(request.authority, "example.com")
        expectEqual(request.userAgent, "swcd/1 CFNetwork/1 Darwin/22")
        #expect(!request.wantsClose && !request.hasBody && request.fault == nil)
        expectEqual(outcome, .request(request, consumed: Self.swcd.utf8.count))
    }

    /// A fragment has no place in a target, and a 404 would be a device's last word.
    @Test(arguments: ["#x", "#", "?a=1#x", "#x?a=1", "?#"])
    func thePathEndsBeforeQueryAndFragment(rest: String) {
        let text = "GET /apple-app-site-association\(rest) HTTP/1.1\r\nHost: a.example\r\n\r\n"
        expectEqual(parseOnce(text).request?.path, "/apple-app-site-association")
    }

    @Test func byteByByteIsTheSame() {
        expectEqual(parseByByte(Array(Self.swcd.utf8)), parseOnce(Self.swcd))
    }

    @Test func pipelined() {
        let one = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
        var parser = HTTP1RequestParser()
        var octets = Array((one + one.replacing("/a", with: "/b") + "GET").utf8)
        var paths: [String] = []
        loop: while true {
            switch octets.withUnsafeBytes({ ParseOutcome(parser.parse($0)) }) {
            case .request(let request, let consumed):
                paths.append(request.path)
                octets.removeFirst(consumed)
            case .needMore: break loop
            case .reject(let reason):
                Issue.record("\(reason)")
                break loop
            }
        }
        expectEqual(paths, ["/a", "/b"])
        expectEqual(octets, Array("GET".utf8))
    }
}

extension String {
    func replacing(_ old: String, with new: String) -> String {
        var rest = self[...]
        var result = ""
        while let range = rest.firstRange(of: old) {
            result += rest[..<range.lowerBound] + new
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}
