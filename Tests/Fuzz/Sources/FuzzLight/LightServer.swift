import OpenSSL

@testable import AASAStorm

/// The other side of a light session, as far as tests need it: it knows the keys, and says with
/// them whatever it is told.
final class LightServer {
    let client: LightClient
    let session: LightSession
    private let key: X25519Key
    private var transcript = SHA256State()
    private var schedule: LightKeySchedule?
    private var recordKey: RecordCipher.Key?
    private let sessionID: [UInt8]

    /// One of each is enough for a thread.
    nonisolated(unsafe) private static var shared: (library: TLSLibrary, key: X25519Key)?

    init(checksSignature: Bool = false) throws {
        if Self.shared == nil {
            let library = try TLSLibrary()
            Self.shared = (library, try X25519Key(library: library))
        }
        guard let shared = Self.shared else { throw LightSession.Failure.protocolViolation }
        key = shared.key
        client = try LightClient(
            serverName: "example.com", protocols: [.http11],
            check: checksSignature ? .init(trust: .none, name: "example.com") : nil,
            library: shared.library)
        session = LightSession(
            client, random: SIMD8(1, 2, 3, 4, 5, 6, 7, 8), checksSignature: checksSignature)
        _ = session.handshake()
        let hello = Array(client.output)
        client.clearOutput()
        sessionID = Array(hello[44..<76])
        add(Array(hello[5...]))
    }

    private func add(_ message: [UInt8]) { message.withUnsafeBytes { transcript.update($0) } }

    /// The record of a ServerHello; from then on ``seal(_:type:)`` has the keys of the handshake.
    func hello() -> [UInt8] {
        let extensions: [UInt8] =
            [0, 43, 0, 2, 3, 4, 0, 51, 0, 36, 0, 0x1D, 0, 32] + key.publicKey
        let body: [UInt8] =
            [3, 3] + [UInt8](repeating: 7, count: 32) + [32] + sessionID
            + [0x13, 0x01, 0, 0, UInt8(extensions.count)] + extensions
        let message = [2, 0, 0, UInt8(body.count)] + body
        add(message)
        if let secret = client.key.publicKey.withUnsafeBytes({ key.agree(with: $0) }) {
            let made = LightKeySchedule(shared: secret, transcript: transcript.digest)
            recordKey = LightKeySchedule.recordKey(made.server)
            schedule = made
        }
        return [22, 3, 3, 0, UInt8(message.count)] + message
    }

    /// The rest of an honest flight; from then on the keys are those of the data. The certificate
    /// is none, which a client that checks notices.
    func flight() -> [UInt8] {
        guard let schedule else { return [] }
        let messages: [UInt8] =
            [8, 0, 0, 2, 0, 0] + [11, 0, 0, 4, 0, 0, 0, 0] + [15, 0, 0, 4, 4, 3, 0, 0]
        add(messages)
        let mac = LightKeySchedule.finished(schedule.server, transcript: transcript.digest)
        let finished = [20, 0, 0, 32] + withUnsafeBytes(of: mac) { Array($0) }
        let sealed = seal(messages + finished)
        add(finished)
        let secrets = schedule.application(transcript: transcript.digest)
        recordKey = LightKeySchedule.recordKey(secrets.server)
        return sealed
    }

    /// Records with these bytes under the keys of now; the last byte of each record is its type,
    /// where none is given and the bytes have one to spare.
    func seal(_ bytes: [UInt8], type: UInt8 = 22) -> [UInt8] {
        var output: [UInt8] = []
        var rest = bytes[...]
        repeat {
            let piece = Array(rest.prefix(2000)) + (type == 0 ? [] : [type])
            rest = rest.dropFirst(2000)
            let length = piece.count + RecordCipher.tagBytes
            let header: [UInt8] = [23, 3, 3, UInt8(length >> 8), UInt8(length & 0xFF)]
            var sealed = [UInt8](repeating: 0, count: length)
            guard var key = recordKey else { return [] }
            _ = sealed.withUnsafeMutableBytes { sealed in
                piece.withUnsafeBytes { piece in
                    header.withUnsafeBytes {
                        client.cipher.seal(piece, associated: $0, with: &key, into: sealed)
                    }
                }
            }
            recordKey = key
            output += header + sealed
        } while !rest.isEmpty
        return output
    }
}
