import HTTP
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct DocumentServiceTests {
    /// Keeps what would be logged.
    private final class Log: AccessSink {
        let lines = Lock<[String]>([])

        func answered(_ entry: AccessEntry) {
            let host = entry.host ?? "-"
            let peer = entry.peer.map { "\($0)" } ?? "-"
            let line = "\(entry.status) \(entry.bytes) \(host) \(peer)"
            lines.withLock { $0.append(line) }
        }
    }

    private let publisher = SnapshotPublisher(
        Publication(snapshot: TestEndpoint.snapshot(), contexts: []))

    private func head(
        _ method: String = "GET", _ path: String = TestEndpoint.path, host: String = "example.com",
        fields: String = ""
    ) -> String { "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n" }

    @Test func `A message is the head, the date of today and the whole document`() throws {
        var service = DocumentService(publisher: publisher, access: nil)
        let before = WallClock.seconds
        let (text, isLast) = try ask(&service, head())
        let after = WallClock.seconds
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(text.hasSuffix("\r\n\r\n" + TestEndpoint.document))
        #expect(text.contains("\r\nContent-Length: \(TestEndpoint.document.utf8.count)\r\n"))
        let dates = (before...after).map { second in
            let date = HTTPDate(unixSeconds: second)
            return withExtendedLifetime(date) { String(decoding: date.bytes, as: UTF8.self) }
        }
        #expect(dates.contains { text.contains("\r\nDate: \($0)\r\n") })
        #expect(!isLast && !text.lowercased().contains("connection: close"))
    }

    @Test func `HEAD is the same without the document`() throws {
        let log = Log()
        var service = DocumentService(publisher: publisher, access: log)
        let (text, isLast) = try ask(&service, head("HEAD"))
        #expect(text.hasSuffix("\r\n\r\n"))
        #expect(text.contains("\r\nContent-Length: \(TestEndpoint.document.utf8.count)\r\n"))
        #expect(!isLast)
        expectEqual(log.lines.withLock { $0 }, ["200 0 example.com -"])
    }

    /// What stands behind such a request may not be one of the front's: nothing of it is read.
    @Test(arguments: ["Connection: close\r\n", "Content-Length: 3\r\n", "Host: example.com\r\n"])
    func `Where the next request begins is not clear, or none comes`(fields: String) throws {
        var service = DocumentService(publisher: publisher, access: nil)
        let (text, isLast) = try ask(&service, head(fields: fields))
        #expect(isLast)
        #expect(text.lowercased().contains("\r\nconnection: close\r\n"))
    }

    @Test func `Each answer is counted for its host, and logged`() throws {
        let log = Log()
        var service = DocumentService(publisher: publisher, access: log)
        _ = try ask(&service, head())
        _ = try ask(&service, head(host: "other.example"))
        _ = try ask(&service, head("GET", "/.well-known/assetlinks.json"))
        _ = try ask(&service, head("GET", "/x"))
        let hosts = publisher.latest.snapshot.hosts
        expectEqual(hosts[0].counters.value(.json), 1)
        expectEqual(hosts[0].counters.value(.sibling), 1)
        expectEqual(hosts[0].counters.value(.notFound), 1)
        expectEqual(hosts[1].counters.value(.unavailable), 1)
        expectEqual(
            log.lines.withLock { $0 },
            [
                "200 \(TestEndpoint.document.utf8.count) example.com -", "503 0 other.example -",
                "200 2 example.com -", "404 0 example.com -",
            ])
    }

    @Test func `A publication is answered from the next request on`() throws {
        var service = DocumentService(publisher: publisher, access: nil)
        #expect(try ask(&service, head()).text.hasSuffix(TestEndpoint.document))
        for number in 1...2 {
            let document = "{\"number\":\(number)}"
            publisher.publish(
                Publication(
                    snapshot: TestEndpoint.snapshot(document: Array(document.utf8)), contexts: []))
            #expect(try ask(&service, head()).text.hasSuffix(document))
            #expect(try ask(&service, head()).text.hasSuffix(document))
        }
    }

    /// A front passes on what it gets, or makes a 502 of a connection without an answer.
    @Test func `What cannot be read is answered as in public`() throws {
        let log = Log()
        var service = DocumentService(publisher: publisher, access: log)
        let associated = try ask(&service, "GET /apple-app-site-association HTTP/2.0\r\n")
        #expect(associated.text.hasPrefix("HTTP/1.1 503 "))
        let other = try ask(&service, "GET /x HTTP/2.0\r\n")
        #expect(other.text.hasPrefix("HTTP/1.1 400 "))
        for isLast in [associated.isLast, other.isLast] { #expect(isLast) }
        expectEqual(log.lines.withLock { $0.count }, 2)
    }
}
