import Testing

@testable import AASAStorm

// Covers: LightReader.swift
@Suite struct LightMessagesTests {
    private let session = [UInt8](repeating: 5, count: 32)

    private func hello(
        random: [UInt8] = [UInt8](repeating: 1, count: 32), suite: [UInt8] = [0x13, 1],
        echo: [UInt8]? = nil, extensions: [UInt8]
    ) -> [UInt8] {
        let echo = echo ?? session
        return [3, 3] + random + [UInt8(echo.count)] + echo + suite + [0]
            + [0, UInt8(extensions.count)] + extensions
    }

    private let version: [UInt8] = [0, 43, 0, 2, 3, 4]
    private let share: [UInt8] = [0, 51, 0, 36, 0, 0x1D, 0, 32] + [UInt8](repeating: 9, count: 32)

    private enum Verdict: Equatable {
        case agreed([UInt8])
        case needsMore, refused
    }

    private func read(_ body: [UInt8]) -> Verdict {
        body.withUnsafeBytes { body in
            session.withUnsafeBytes { session in
                switch LightMessages.serverHello(body, session: session) {
                case .agreed(let share)?: .agreed(Array(share))
                case .needsMore?: .needsMore
                case nil: .refused
                }
            }
        }
    }

    @Test func readsAServerHello() {
        #expect(
            read(hello(extensions: version + share))
                == .agreed([UInt8](repeating: 9, count: 32)))
        #expect(
            read(hello(extensions: share + version))
                == .agreed([UInt8](repeating: 9, count: 32)))
    }

    @Test func tellsWhatItCannotSpeakFromWhatIsWrong() {
        // TLS 1.2 chooses an id of its own.
        #expect(read(hello(echo: [], extensions: [])) == .needsMore)
        #expect(read(hello(suite: [0x13, 2], extensions: version + share)) == .needsMore)
        #expect(
            read(hello(extensions: version + [0, 51, 0, 5, 0, 0x17, 0, 1, 4])) == .needsMore)
        let retry: [UInt8] = [
            0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11, 0xBE, 0x1D, 0x8C, 0x02, 0x1E, 0x65,
            0xB8, 0x91, 0xC2, 0xA2, 0x11, 0x16, 0x7A, 0xBB, 0x8C, 0x5E, 0x07, 0x9E, 0x09, 0xE2,
            0xC8, 0xA8, 0x33, 0x9C,
        ]
        #expect(
            read(hello(random: retry, extensions: version + [0, 51, 0, 2, 0, 0x17])) == .needsMore)
        #expect(read(hello(echo: [1], extensions: version + share)) == .refused)
        #expect(read(hello(extensions: version)) == .refused)
        #expect(read(hello(extensions: version + share + [0, 0, 0, 0])) == .refused)
        #expect(
            read(hello(extensions: version + [0, 51, 0, 5, 0, 0x1D, 0, 1, 4])) == .refused)
    }

    @Test func everyCutIsRefused() {
        let whole = hello(extensions: version + share)
        for count in whole.indices {
            let verdict = read(Array(whole.prefix(count)))
            // Where all extensions are cut off it is one of TLS 1.2.
            #expect(verdict == .refused || verdict == .needsMore)
            #expect(verdict != .agreed([UInt8](repeating: 9, count: 32)))
        }
        #expect(read(whole + [0]) == .refused)
    }

    @Test func readsCertificatesAndSignatures() {
        func chain(_ body: [UInt8]) -> [[UInt8]]? {
            body.withUnsafeBytes { LightMessages.certificates($0) }
        }
        #expect(chain([0, 0, 0, 7, 0, 0, 2, 8, 9, 0, 0]) == [[8, 9]])
        #expect(
            chain([0, 0, 0, 14, 0, 0, 2, 8, 9, 0, 0, 0, 0, 2, 6, 7, 0, 0]) == [[8, 9], [6, 7]])
        for wrong: [UInt8] in [
            [], [0], [1, 5, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 5, 0, 0, 0, 0, 0],
            [0, 0, 0, 6, 0, 0, 2, 8, 9, 0], [0, 0, 0, 7, 0, 0, 2, 8, 9, 0, 0, 1],
        ] { #expect(chain(wrong) == nil) }
        let signature: (UInt16, [UInt8])? = [UInt8]([4, 3, 0, 2, 1, 2]).withUnsafeBytes {
            LightMessages.signature($0).map { ($0.scheme, Array($0.bytes)) }
        }
        #expect(signature?.0 == 0x0403 && signature?.1 == [1, 2])
        #expect([UInt8]([4, 3, 0, 3, 1, 2]).withUnsafeBytes { LightMessages.signature($0) } == nil)
        #expect(LightMessages.signedContent(SIMD4()).count == 64 + 33 + 1 + 32)
    }

    @Test func readsTheProtocol() {
        func name(_ body: [UInt8]) -> String? {
            body.withUnsafeBytes {
                LightMessages.applicationProtocol($0).map { String(decoding: $0, as: UTF8.self) }
            }
        }
        #expect(name([0, 0]) == "")
        #expect(name([0, 9, 0, 16, 0, 5, 0, 3, 2, 0x68, 0x32]) == "h2")
        #expect(name([0, 4, 0, 10, 0, 0]) == "")
        for wrong: [UInt8] in [
            [], [0], [0, 1], [0, 0, 0], [0, 6, 0, 16, 0, 2, 0, 0], [0, 7, 0, 16, 0, 3, 0, 1, 0],
            [0, 9, 0, 16, 0, 5, 0, 3, 1, 0x68, 0x32],
        ] { #expect(name(wrong) == nil, "\(wrong)") }
    }
}
