import OpenSSL
import Testing

@testable import AASAStorm

// The figures of RFC 8448 section 3, "Simple 1-RTT Handshake".
@Suite struct LightKeyScheduleTests {
    private func block(_ hex: String) -> Block256 {
        var result = Block256()
        withUnsafeMutableBytes(of: &result) { bytes in
            for (index, byte) in stride(from: 0, to: 64, by: 2).enumerated() {
                let start = hex.index(hex.startIndex, offsetBy: byte)
                bytes[index] = UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16) ?? 0
            }
        }
        return result
    }

    private func hex<Value>(_ value: Value, from start: Int = 0) -> String {
        withUnsafeBytes(of: value) { bytes in
            bytes[start...].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    /// That the secrets themselves are right, OpenSSL says: `LightSessionTests`.
    @Test func agreesWithTheStandardsExample() {
        let server = block("b67b7d690cc16c4e75e54213cb2d37b4e9c912bcded9105d42befd59d391ad38")
        let key = LightKeySchedule.recordKey(server)
        #expect(hex(key.key) == "3fce516009c21727d0f2e4e86ee403bc")
        #expect(hex(key.iv, from: 4) == "5d313eb2671276ee13000b30")
        #expect(hex(key.iv).hasPrefix("00000000"))
        #expect(LightKeySchedule.updated(server) != server)
    }
}
