import TestSupport
import Testing

@testable import HTTP

/// RFC 9113 and RFC 7541, breach by breach, with raw frames: what ends the stream, what ends the
/// connection, and what is to be ignored. The sections are named as h2spec names them.
struct HTTP2ConformanceTests {
    /// What a peer gets to see.
    enum Reaction: Equatable, CustomStringConvertible {
        /// GOAWAY with the code, nothing read afterwards.
        case connectionError(HTTP2ErrorCode)
        /// RST_STREAM with the code for stream 1; the connection goes on.
        case streamError(HTTP2ErrorCode)
        /// Nothing: the connection goes on, a later request is answered.
        case ignored
        /// Stream 1 is answered.
        case answered

        var description: String {
            switch self {
            case .connectionError(let code): "connection error \(code.rawValue)"
            case .streamError(let code): "stream error \(code.rawValue)"
            case .ignored: "ignored"
            case .answered: "answered"
            }
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var section: String
        var name: String
        var octets: [UInt8]
        var expected: Reaction
        /// In single bytes the answer is out before the rest arrives, and the stream closed.
        var expectedInPieces: Reaction
        var testDescription: String { "\(section) \(name)" }

        init(
            _ section: String, _ name: String, _ expected: Reaction, _ frames: [RawFrame],
            inPieces: Reaction? = nil
        ) {
            expectedInPieces = inPieces ?? expected
            self.section = section
            self.name = name
            self.octets = frames.flatMap(\.octets)
            self.expected = expected
        }
    }

    func reaction(to octets: [UInt8], pieces: Bool) throws -> Reaction {
        let server = try ServerHarness(answer: { request in
            request.path == "/hold" ? nil : ServerHarness.small
        })
        server.open()
        var frames: [RawFrame] = []
        if pieces {
            for octet in octets {
                server.receive([octet])
                frames += server.sentFrames()
            }
        } else {
            server.receive(octets)
            frames += server.sentFrames()
        }
        if let goAway = frames.goAway {
            #expect(server.session.isFinished)
            server.receive(.request(101))
            #expect(server.sentFrames().isEmpty)
            expectEqual(server.session.closeReason.map { $0.errorCode != .noError }, true)
            return .connectionError(HTTP2ErrorCode(rawValue: goAway.code ?? 0))
        }
        // The connection is alive: a request on a fresh stream is answered, the HPACK state is
        // whole.
        server.receive(.request(101))
        let later = server.sentFrames()
        expectEqual(later.content(of: 101), Array("{}".utf8))
        if let reset = frames.of(RawFrame.rstStream).first(where: { $0.stream == 1 }),
            reset.code != 0
        {
            return .streamError(HTTP2ErrorCode(rawValue: reset.code ?? 0))
        }
        let isAnswered = frames.contains {
            $0.stream == 1 && $0.flags & RawFrame.endStream != 0
                && ($0.type == RawFrame.data || $0.type == RawFrame.headers)
        }
        return isAnswered ? .answered : .ignored
    }

    @Test(arguments: frameCases + streamStateCases + settingsCases)
    func frames(_ example: Case) throws {
        let whole = try reaction(to: example.octets, pieces: false)
        expectEqual(whole, example.expected)
        let pieces = try reaction(to: example.octets, pieces: true)
        expectEqual(pieces, example.expectedInPieces)
    }

    @Test(arguments: messageCases + fieldBlockCases)
    func messages(_ example: Case) throws {
        let whole = try reaction(to: example.octets, pieces: false)
        expectEqual(whole, example.expected)
        let pieces = try reaction(to: example.octets, pieces: true)
        expectEqual(pieces, example.expectedInPieces)
    }
}
