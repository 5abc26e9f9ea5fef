internal import COpenSSL

/// A request to the TLS 1.3 key schedule, borrowed from OpenSSL's parameters: one step of RFC 8446
/// section 7.1 with SHA-256.
struct DerivationRequest {
    private static let digestBytes = 32

    private var isExtract = false
    private var key: UnsafeRawBufferPointer?
    private var salt: UnsafeRawBufferPointer?
    private var prefix = UnsafeRawBufferPointer(start: nil, count: 0)
    private var label = UnsafeRawBufferPointer(start: nil, count: 0)
    private var data = UnsafeRawBufferPointer(start: nil, count: 0)

    /// - Returns: nil for anything else, which OpenSSL handles itself.
    init?(_ parameters: UnsafePointer<OSSL_PARAM>) {
        var seen: UInt8 = 0
        var next = parameters
        while let name = next.pointee.key {
            guard let base = next.pointee.data else { return nil }
            let bytes = UnsafeRawBufferPointer(start: base, count: next.pointee.data_size)
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
            } else if Self.equal(name, "key") {
                field = 4
                key = bytes
            } else if Self.equal(name, "salt") {
                field = 8
                salt = bytes
            } else if Self.equal(name, "prefix") {
                field = 16
                prefix = bytes
            } else if Self.equal(name, "label") {
                field = 32
                label = bytes
            } else if Self.equal(name, "data") {
                field = 64
                data = bytes
            } else {
                return nil
            }
            // Leave duplicate parameters to OpenSSL.
            if seen & field != 0 { return nil }
            seen |= field
            next += 1
        }
        guard seen & 3 == 3, prefix.count + label.count <= 64, data.count <= 64 else { return nil }
    }

    /// Computes the result into `output`.
    ///
    /// - Returns: false for an unusual step; then nothing is written.
    func answer(_ output: UnsafeMutablePointer<UInt8>, _ count: Int) -> Bool {
        // Temporary memory for secrets, wiped afterwards.
        withUnsafeTemporaryAllocation(of: Scratch.self, capacity: 1) { memory in
            guard let scratch = memory.baseAddress else { return false }
            scratch.initialize(to: Scratch())
            defer { OPENSSL_cleanse(scratch, MemoryLayout<Scratch>.size) }
            return isExtract
                ? extract(output, count, &scratch.pointee)
                : expand(output, count, &scratch.pointee)
        }
    }

    /// `HKDF-Expand-Label(key, label, data, count)`; one HMAC block is enough for TLS.
    private func expand(
        _ output: UnsafeMutablePointer<UInt8>, _ count: Int, _ scratch: inout Scratch
    ) -> Bool {
        guard let key, key.count == Self.digestBytes, (1...Self.digestBytes).contains(count)
        else { return false }
        scratch.load(key)
        scratch.addLabel(count, prefix, label, data)
        scratch.finish()
        scratch.copyDigest(to: output, count)
        return true
    }

    /// `HKDF-Extract(Derive-Secret(salt, "derived", ""), key)`; missing values are zeros.
    private func extract(
        _ output: UnsafeMutablePointer<UInt8>, _ count: Int, _ scratch: inout Scratch
    ) -> Bool {
        guard count == Self.digestBytes, data.isEmpty else { return false }
        if let salt {
            guard salt.count == Self.digestBytes else { return false }
            scratch.load(salt)
            Self.emptyDigest.withUnsafeBytes {
                scratch.addLabel(Self.digestBytes, prefix, label, $0)
            }
            scratch.finish()
            scratch.loadDigest()
        } else {
            scratch.load(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        if let key {
            scratch.add(key)
        } else {
            Self.zeros.withUnsafeBytes { scratch.add($0) }
        }
        scratch.finish()
        scratch.copyDigest(to: output, count)
        return true
    }

    private static let zeros = [UInt8](repeating: 0, count: digestBytes)
    /// SHA-256 of the empty string.
    private static let emptyDigest: [UInt8] = sha256([])

    private static func equal(
        _ text: UnsafeRawBufferPointer, _ expected: StaticString
    ) -> Bool {
        text.count == expected.utf8CodeUnitCount
            && text.indices.allSatisfy { text[$0] == expected.utf8Start[$0] }
    }

    private static func equal(_ text: UnsafePointer<CChar>, _ expected: StaticString) -> Bool {
        var index = 0
        while index < expected.utf8CodeUnitCount {
            // A shorter text ends in NUL, which no expected text contains.
            if UInt8(bitPattern: text[index]) != expected.utf8Start[index] { return false }
            index += 1
        }
        return text[index] == 0
    }

    /// A running HMAC.
    private struct Scratch {
        private var inner = SHA256_CTX()
        private var outer = SHA256_CTX()
        private var block = (SIMD32<UInt8>(), SIMD32<UInt8>())
        private var digest = SIMD32<UInt8>()

        /// Starts with a key of 32 bytes, or an empty one.
        mutating func load(_ key: UnsafeRawBufferPointer) {
            digest = SIMD32<UInt8>()
            withUnsafeMutableBytes(of: &digest) { $0.copyMemory(from: key) }
            loadDigest()
        }

        /// Starts with the last result as the key.
        mutating func loadDigest() {
            let pad = SIMD32<UInt8>(repeating: 0x36)
            block = (digest ^ pad, pad)
            Self.begin(&inner, &block)
            let other = SIMD32<UInt8>(repeating: 0x5c)
            block = (digest ^ other, other)
            Self.begin(&outer, &block)
        }

        private static func begin(
            _ state: inout SHA256_CTX, _ block: inout (SIMD32<UInt8>, SIMD32<UInt8>)
        ) {
            _ = COpenSSL_SHA256_Init(&state)
            withUnsafeBytes(of: &block) {
                _ = COpenSSL_SHA256_Update(&state, $0.baseAddress, $0.count)
            }
        }

        mutating func add(_ bytes: UnsafeRawBufferPointer) {
            _ = COpenSSL_SHA256_Update(&inner, bytes.baseAddress, bytes.count)
        }

        private mutating func add(_ byte: Int) {
            var byte = UInt8(truncatingIfNeeded: byte)
            _ = COpenSSL_SHA256_Update(&inner, &byte, 1)
        }

        /// Adds `HkdfLabel` and the counter of RFC 5869 section 2.3.
        mutating func addLabel(
            _ count: Int, _ prefix: UnsafeRawBufferPointer, _ label: UnsafeRawBufferPointer,
            _ data: UnsafeRawBufferPointer
        ) {
            add(count >> 8)
            add(count)
            add(prefix.count + label.count)
            add(prefix)
            add(label)
            add(data.count)
            add(data)
            add(1)
        }

        mutating func finish() {
            withUnsafeMutableBytes(of: &digest) { bytes in
                guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
                _ = COpenSSL_SHA256_Final(base, &inner)
                _ = COpenSSL_SHA256_Update(&outer, base, bytes.count)
                _ = COpenSSL_SHA256_Final(base, &outer)
            }
        }

        mutating func copyDigest(to output: UnsafeMutablePointer<UInt8>, _ count: Int) {
            withUnsafeBytes(of: &digest) {
                UnsafeMutableRawPointer(output).copyMemory(
                    from: $0.baseAddress ?? UnsafeRawPointer(output), byteCount: count)
            }
        }
    }
}
