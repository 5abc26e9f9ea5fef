internal import COpenSSL

/// A request to the TLS 1.3 key schedule, borrowed from OpenSSL's parameters: one step of RFC 8446
/// section 7.1 with SHA-256.
struct DerivationRequest {
    private typealias Bytes = UnsafeRawBufferPointer

    private static let digestBytes = 32
    private static var none: Bytes { Bytes(start: nil, count: 0) }
    private static let zeros = [UInt8](repeating: 0, count: digestBytes)
    /// SHA-256 of the empty string.
    private static let emptyDigest: [UInt8] = sha256([])

    private var isExtract = false
    // Empty if it is not given.
    private var key = none
    private var salt = none
    private var prefix = none
    private var label = none
    private var data = none

    /// - Returns: nil for anything else, which OpenSSL handles itself.
    init?(_ parameters: UnsafePointer<OSSL_PARAM>) {
        var seen: UInt8 = 0
        var next = parameters
        while let name = next.pointee.key {
            guard let base = next.pointee.data, next.pointee.data_size > 0 else { return nil }
            let bytes = Bytes(start: base, count: next.pointee.data_size)
            let field: UInt8
            if Self.equal(name, "mode") {
                field = 1
                guard bytes.count == MemoryLayout<Int32>.size else { return nil }
                switch bytes.loadUnaligned(as: Int32.self) {
                case Int32(EVP_KDF_HKDF_MODE_EXTRACT_ONLY): isExtract = true
                case Int32(EVP_KDF_HKDF_MODE_EXPAND_ONLY): isExtract = false
                default: return nil
                }
            } else if Self.equal(name, "digest") {
                field = 2
                guard Self.equal(bytes, "SHA2-256") || Self.equal(bytes, "SHA256") else {
                    return nil
                }
            } else if Self.equal(name, "prefix") {
                (field, prefix) = (4, bytes)
            } else if Self.equal(name, "label") {
                (field, label) = (8, bytes)
            } else if Self.equal(name, "key") {
                (field, key) = (16, bytes)
            } else if Self.equal(name, "salt") {
                (field, salt) = (32, bytes)
            } else if Self.equal(name, "data") {
                (field, data) = (64, bytes)
            } else {
                return nil
            }
            // Leave duplicate parameters to OpenSSL.
            if seen & field != 0 { return nil }
            seen |= field
            next += 1
        }
        // TLS always gives the first four. What is missing beside them was not set before, either.
        guard seen & 15 == 15, prefix.count + label.count <= 64, data.count <= 64 else {
            return nil
        }
    }

    /// Computes the result into `output`.
    ///
    /// - Returns: false for an unusual step; then nothing is written.
    func answer(_ output: UnsafeMutablePointer<UInt8>, _ count: Int) -> Bool {
        let isUsual =
            isExtract
            ? count == Self.digestBytes && data.isEmpty
                && (salt.isEmpty || salt.count == Self.digestBytes)
            : (1...Self.digestBytes).contains(count) && key.count == Self.digestBytes
        guard isUsual else { return false }
        // Temporary memory for secrets, wiped afterwards.
        return withUnsafeTemporaryAllocation(of: HMAC.self, capacity: 1) { memory in
            guard let hmac = memory.baseAddress else { return false }
            hmac.initialize(to: HMAC())
            defer { OPENSSL_cleanse(hmac, MemoryLayout<HMAC>.size) }
            if isExtract {
                extract(&hmac.pointee)
            } else {
                expand(key, data, count, &hmac.pointee)
            }
            hmac.pointee.copyDigest(to: output, count)
            return true
        }
    }

    /// `HKDF-Expand-Label(key, label, data, count)`: an HMAC of `HkdfLabel` and the counter of RFC
    /// 5869 section 2.3. One block is enough for TLS.
    private func expand(_ key: Bytes, _ data: Bytes, _ count: Int, _ hmac: inout HMAC) {
        hmac.begin(key)
        hmac.add(count >> 8)
        hmac.add(count)
        hmac.add(prefix.count + label.count)
        hmac.add(prefix)
        hmac.add(label)
        hmac.add(data.count)
        hmac.add(data)
        hmac.add(1)
        hmac.finish()
    }

    /// `HKDF-Extract(Derive-Secret(salt, "derived", ""), key)`; missing values are zeros.
    private func extract(_ hmac: inout HMAC) {
        if salt.isEmpty {
            hmac.begin(salt)
        } else {
            Self.emptyDigest.withUnsafeBytes { expand(salt, $0, Self.digestBytes, &hmac) }
            hmac.beginWithDigest()
        }
        if key.isEmpty { Self.zeros.withUnsafeBytes { hmac.add($0) } } else { hmac.add(key) }
        hmac.finish()
    }

    private static func equal(_ text: Bytes, _ expected: StaticString) -> Bool {
        text.count == expected.utf8CodeUnitCount
            && text.indices.allSatisfy { text[$0] == expected.utf8Start[$0] }
    }

    private static func equal(_ text: UnsafePointer<CChar>, _ expected: StaticString) -> Bool {
        // A shorter text ends in NUL, which no expected text contains.
        for index in 0..<expected.utf8CodeUnitCount
        where UInt8(bitPattern: text[index]) != expected.utf8Start[index] {
            return false
        }
        return text[expected.utf8CodeUnitCount] == 0
    }
}

/// A running HMAC with SHA-256 (RFC 2104).
private struct HMAC {
    private var inner = SHA256_CTX()
    private var outer = SHA256_CTX()
    private var block = (SIMD32<UInt8>(), SIMD32<UInt8>())
    private var digest = SIMD32<UInt8>()

    /// Begins with a key of 32 bytes, or an empty one.
    mutating func begin(_ key: UnsafeRawBufferPointer) {
        digest = SIMD32<UInt8>()
        withUnsafeMutableBytes(of: &digest) { $0.copyMemory(from: key) }
        beginWithDigest()
    }

    /// Begins with the last result as the key.
    mutating func beginWithDigest() {
        HMAC.begin(&inner, &block, digest, 0x36)
        HMAC.begin(&outer, &block, digest, 0x5c)
    }

    private static func begin(
        _ state: inout SHA256_CTX, _ block: inout (SIMD32<UInt8>, SIMD32<UInt8>),
        _ key: SIMD32<UInt8>, _ byte: UInt8
    ) {
        let pad = SIMD32<UInt8>(repeating: byte)
        block = (key ^ pad, pad)
        _ = COpenSSL_SHA256_Init(&state)
        withUnsafeBytes(of: &block) {
            _ = COpenSSL_SHA256_Update(&state, $0.baseAddress, $0.count)
        }
    }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        _ = COpenSSL_SHA256_Update(&inner, bytes.baseAddress, bytes.count)
    }

    /// Adds the lowest byte of a number.
    mutating func add(_ number: Int) {
        var byte = UInt8(truncatingIfNeeded: number)
        _ = COpenSSL_SHA256_Update(&inner, &byte, 1)
    }

    mutating func finish() {
        withUnsafeMutableBytes(of: &digest) { bytes in
            let base = bytes.bindMemory(to: UInt8.self).baseAddress
            _ = COpenSSL_SHA256_Final(base, &inner)
            _ = COpenSSL_SHA256_Update(&outer, base, bytes.count)
            _ = COpenSSL_SHA256_Final(base, &outer)
        }
    }

    mutating func copyDigest(to output: UnsafeMutablePointer<UInt8>, _ count: Int) {
        withUnsafeBytes(of: &digest) {
            UnsafeMutableRawBufferPointer(start: output, count: count)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count]))
        }
    }
}
