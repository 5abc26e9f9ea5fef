import AASAClient
import OpenSSL
import TestSupport
import Testing

@Suite struct ClientStreamTests: ClientSuite {
    private func open(_ answer: FaultAnswer) throws -> ClientStream {
        let server = try FaultServer(tls: nil) { _ in answer }
        return try client(server).open(plain(server))
    }

    private func pieces(_ pieces: String..., milliseconds: UInt32 = 0) -> FaultAnswer {
        .pieces(pieces.map { Array($0.utf8) }, milliseconds: milliseconds)
    }

    @Test(arguments: [true, false]) func readsALastingResponseInPieces(isTLS: Bool) throws {
        let certificates = try ClientCertificates()
        let answer = pieces(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "5\r\nfirst\r\n",
            "6\r\nsecond\r\n", "0\r\n\r\n", milliseconds: 150)
        let server = try FaultServer(tls: isTLS ? certificates.settings() : nil) { _ in answer }
        /// Whether the first wait was too short.
        func reads() throws -> Bool {
            let stream = try client(server).open(certificates.request(server, isTLS: isTLS))
            expectEqual(stream.head.status, 200)
            var first: [UInt8]?
            do throws(ClientFailure) {
                first = try stream.next(within: .milliseconds(1))
            } catch {
                expectEqual(error, .timeout(.body))
            }
            let wasTooShort = first == nil
            // It leaves the stream usable.
            if wasTooShort { first = try stream.next(within: .seconds(20)) }
            expectEqual(first, Array("first".utf8))
            try expectEqual(stream.next(within: .seconds(20)), Array("second".utf8))
            #expect(try stream.next(within: .seconds(20)) == nil)
            #expect(try stream.next(within: .seconds(20)) == nil)
            return wasTooShort
        }
        // On a busy machine this thread may wait until the piece is there.
        #expect(try (0..<20).contains { _ in try reads() })
    }

    @Test func tellsACutStreamFromAnEndedOne() throws {
        let stream = try open(
            pieces("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "5\r\nfirst\r\n"))
        try expectEqual(stream.next(within: .seconds(20)), Array("first".utf8))
        #expect(throws: ClientFailure.closed(.body, missing: nil)) {
            try stream.next(within: .seconds(20))
        }
    }

    /// What came with the head is not lost, and what is counted ends by its count.
    @Test func givesWhatCameWithTheHead() throws {
        let stream = try open(pieces("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst"))
        expectEqual(stream.head.value("Content-Length"), "5")
        try expectEqual(stream.next(within: .seconds(20)), Array("first".utf8))
        #expect(try stream.next(within: .seconds(20)) == nil)
    }

    @Test func saysWhatIsWrongBeforeTheBody() throws {
        let cut = ClientFailure.closed(.head, missing: nil)
        #expect(throws: cut) { try open(pieces("HTTP/1.1 200 OK\r\nContent-")) }
        #expect(throws: cut) { try open(pieces("")) }
        let error = #expect(throws: ClientFailure.self) {
            try open(pieces("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"))
        }
        guard case .badFraming = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// The limit for answers that are kept in memory does not end one that is read in pieces.
    @Test func isNotBoundedByTheLimitOfABody() throws {
        let server = try FaultServer(tls: nil) { _ in .http("200 OK", [], "0123456789") }
        var request = plain(server)
        request.limits.body = 9
        let stream = try client(server).open(request)
        var body: [UInt8] = []
        while let piece = try stream.next(within: .seconds(20)) { body += piece }
        expectEqual(body, Array("0123456789".utf8))
    }

    @Test func isForHTTP1Alone() throws {
        let server = try FaultServer(tls: nil) { _ in .http("200 OK") }
        var request = plain(server)
        request.security.offer.protocols = [.http2, .http11]
        #expect(throws: ClientFailure.self) { try client(server).open(request) }
    }
}
