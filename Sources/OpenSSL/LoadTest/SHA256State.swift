internal import COpenSSL

/// 32 bytes: a SHA-256 digest, or a secret derived from one.
package typealias Block256 = SIMD4<UInt64>

/// A running SHA-256 as a value: a copy continues independently, without an allocation. A TLS 1.3
/// transcript needs this at five points.
package struct SHA256State: Sendable {
    private var state = SHA256_CTX()

    package init() { _ = COpenSSL_SHA256_Init(&state) }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        _ = COpenSSL_SHA256_Update(&state, base, bytes.count)
    }

    package mutating func update(_ block: Block256) {
        withUnsafeBytes(of: block) { update($0) }
    }

    /// The digest so far; more input can follow.
    package var digest: Block256 {
        var copy = state
        var result = Block256()
        withUnsafeMutableBytes(of: &result) { bytes in
            guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
            _ = COpenSSL_SHA256_Final(base, &copy)
        }
        return result
    }

    package static func digest(of bytes: UnsafeRawBufferPointer) -> Block256 {
        var state = SHA256State()
        state.update(bytes)
        return state.digest
    }

    /// HMAC-SHA-256 (RFC 2104) with a key of 32 bytes.
    package static func hmac(key: Block256, _ message: UnsafeRawBufferPointer) -> Block256 {
        let inner = Block256(repeating: 0x3636_3636_3636_3636)
        let outer = Block256(repeating: 0x5c5c_5c5c_5c5c_5c5c)
        var first = SHA256State()
        first.update(key ^ inner)
        first.update(inner)
        first.update(message)
        var second = SHA256State()
        second.update(key ^ outer)
        second.update(outer)
        second.update(first.digest)
        return second.digest
    }
}
