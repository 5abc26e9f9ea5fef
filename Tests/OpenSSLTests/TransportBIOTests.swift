import COpenSSL
import TestSupport
import Testing

@testable import OpenSSL

/// As OpenSSL calls it.
@Suite struct TransportBIOTests {
    private let wire: TLSTransport

    init() throws { wire = try TLSTransport() }

    private func shouldRetry() -> Bool { BIO_test_flags(wire.bio, BIO_FLAGS_SHOULD_RETRY) != 0 }

    @Test func `Nothing to read is a reason to try again, not the end`() {
        var byte: UInt8 = 0
        var count = 7
        expectEqual(BIO_read_ex(wire.bio, &byte, 1, &count), 0)
        #expect(count == 0 && shouldRetry())
        #expect(BIO_test_flags(wire.bio, BIO_FLAGS_READ) != 0)
        #expect(wire.state.pointee.starved)
        [UInt8(5)].withUnsafeBytes { raw in
            wire.receive(raw)
            expectEqual(BIO_read_ex(wire.bio, &byte, 1, &count), 1)
            #expect(count == 1 && byte == 5 && !shouldRetry())
        }
    }

    @Test func `As much is read as is there and fits`() {
        let bytes: [UInt8] = [1, 2, 3, 4, 5]
        var target = [UInt8](repeating: 0, count: 3)
        var count = 0
        bytes.withUnsafeBytes { raw in
            wire.receive(raw)
            expectEqual(BIO_read_ex(wire.bio, &target, 3, &count), 1)
            #expect(count == 3 && target == [1, 2, 3])
            expectEqual(BIO_read_ex(wire.bio, &target, 3, &count), 1)
            #expect(count == 2 && target == [4, 5, 3])
        }
    }

    @Test func `Everything that is written is taken`() {
        let bytes = [UInt8](repeating: 9, count: 100_000)
        var count = 0
        expectEqual(BIO_write_ex(wire.bio, bytes, bytes.count, &count), 1)
        #expect(count == bytes.count && !shouldRetry())
        expectEqual(Array(wire.output), bytes)
    }

    /// A read that found nothing left its mark.
    @Test func `A write is not told to try again`() {
        var byte: UInt8 = 0
        var count = 0
        _ = BIO_read_ex(wire.bio, &byte, 1, &count)
        expectEqual(BIO_write_ex(wire.bio, [1], 1, &count), 1)
        #expect(!shouldRetry())
    }

    @Test func `A flush succeeds, as there is nothing to do, and it knows of nothing else`() {
        expectEqual(BIO_ctrl(wire.bio, BIO_CTRL_FLUSH, 0, nil), 1)
        expectEqual(BIO_ctrl(wire.bio, BIO_CTRL_PENDING, 0, nil), 0)
        expectEqual(BIO_ctrl(wire.bio, BIO_CTRL_RESET, 0, nil), 0)
    }
}
