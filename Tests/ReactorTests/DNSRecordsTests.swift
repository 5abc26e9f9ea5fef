import Glibc
import TestSupport
import Testing

@testable import Reactor

@Suite struct DNSRecordsTests {
    /// A name server on loopback that answers each question with the same code and records.
    private final class NameServer: Sendable {
        let address: SocketAddress
        private let descriptor: Int32
        private let thread: WorkerThread

        /// - Parameters:
        ///   - code: RCODE (RFC 1035 section 4.1.1).
        ///   - record: type and data of one record; nil: none.
        init(code: UInt8, record: (type: UInt16, data: [UInt8])?) throws {
            let raw = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            let socket = Socket(owning: raw)
            try socket.bind(.v4(0x7F00_0001, port: 0))
            let place = socket.localAddress
            address = try #require(place)
            descriptor = try FileDescriptor.duplicate(raw)
            let served = descriptor
            thread = try WorkerThread(name: "names") {
                var question = [UInt8](repeating: 0, count: 512)
                while true {
                    var peer = sockaddr_storage()
                    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
                    let count = withUnsafeMutablePointer(to: &peer) { pointer in
                        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                            recvfrom(served, &question, question.count, 0, $0, &length)
                        }
                    }
                    // One byte of ours ends it.
                    guard count > 12 else { return }
                    let name = question[12...].prefix { $0 != 0 }.count + 1
                    var answer = Array(question[..<(12 + name + 4)])
                    answer[2] |= 0x80
                    answer[3] = 0x80 | code
                    answer[6...11] = [0, record == nil ? 0 : 1, 0, 0, 0, 0]
                    if let (type, data) = record {
                        answer += [0xC0, 12, UInt8(type >> 8), UInt8(type & 255), 0, 1, 0, 0, 0, 9]
                        answer += [UInt8(data.count >> 8), UInt8(data.count & 255)] + data
                    }
                    withUnsafePointer(to: &peer) { pointer in
                        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                            _ = sendto(served, answer, answer.count, 0, $0, length)
                        }
                    }
                }
            }
        }

        deinit {
            let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            let socket = FileDescriptor(owning: Glibc.socket(AF_INET, type, 0))
            address.withSockAddr { _ = sendto(socket.raw, [0], 1, 0, $0, $1) }
            thread.join()
            FileDescriptor.close(descriptor)
        }
    }

    @Test func `An answer comes as it was sent, for the name and type that were asked`() throws {
        // More than the 512 bytes that a message may have without an extension.
        let data = (0..<3000).map { UInt8(truncatingIfNeeded: $0) }
        let server = try NameServer(code: 0, record: (257, data))
        let answer = try #require(
            try DNSRecords.answer("shop.test", type: 257, server: server.address).get())
        expectEqual(Array(answer.suffix(data.count)), data)
        let name: [UInt8] = [4] + Array("shop".utf8) + [4] + Array("test".utf8)
        let question = name + [0, 1, 1, 0, 1]
        expectEqual(Array(answer[12...].prefix(question.count)), question)
        expectEqual(answer.count, 12 + question.count + 12 + data.count)
    }

    @Test(arguments: [UInt8(0), 3])
    func `No such name and no such record are an answer: none`(code: UInt8) throws {
        let server = try NameServer(code: code, record: nil)
        expectEqual(
            DNSRecords.answer("shop.test", type: 257, server: server.address), .success(nil))
    }

    /// Who took this for "no record" would order from an authority that a record forbids.
    @Test(arguments: [UInt8(2), 5])
    func `A server that cannot or will not answer is a failure`(code: UInt8) throws {
        let server = try NameServer(code: code, record: nil)
        let result = DNSRecords.answer("shop.test", type: 257, server: server.address)
        guard case .failure(let failure) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(!failure.reason.isEmpty)
    }

    @Test func `A server is asked by IPv4`() throws {
        for text in ["[::1]:53", "unix:/run/dns"] {
            let server = try #require(SocketAddress(parsing: text))
            expectEqual(
                DNSRecords.answer("shop.test", type: 257, server: server),
                .failure(.init(reason: "\(text) is not an IPv4 address")))
        }
    }
}
