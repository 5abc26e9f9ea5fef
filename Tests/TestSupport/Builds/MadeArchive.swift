/// A ZIP archive that a test makes, with whatever is wrong in it.
public struct MadeArchive: Sendable {
    public struct File: Sendable {
        public var name: String
        public var bytes: [UInt8]
        public var method = 8
        public var isEncrypted = false
        /// What the directory says, where it lies.
        public var claimedSize: Int?
        public var claimedChecksum: UInt32?

        public init(_ name: String, _ bytes: [UInt8], method: Int = 8) {
            self.name = name
            self.bytes = bytes
            self.method = method
        }
    }

    public var files: [File]
    public var comment: [UInt8] = []
    /// Writes all numbers of the directory in the fields of ZIP64.
    public var isLarge = false
    /// All files of the directory are at the place of the first.
    public var overlaps = false

    public init(_ files: [File]) { self.files = files }

    public var bytes: [UInt8] {
        var body: [UInt8] = []
        var directory: [UInt8] = []
        for file in files {
            let name = Array(file.name.utf8)
            let content = file.method == 8 ? Self.deflate(file.bytes) : file.bytes
            let size = file.claimedSize ?? file.bytes.count
            let checksum = Int(file.claimedChecksum ?? Self.checksum(file.bytes))
            let offset = overlaps ? 0 : body.count
            let flags = file.isEncrypted ? 1 : 0
            body +=
                Self.little(0x0403_4B50, 4) + Self.little(20, 2) + Self.little(flags, 2)
                + Self.little(file.method, 2) + Self.little(0, 4) + Self.little(checksum, 4)
                + Self.little(content.count, 4) + Self.little(size, 4)
                + Self.little(name.count, 2) + Self.little(0, 2) + name + content
            let extra =
                isLarge
                ? Self.little(0x5455, 2) + Self.little(1, 2) + [0] + Self.little(1, 2)
                    + Self.little(24, 2) + Self.little(size, 8) + Self.little(content.count, 8)
                    + Self.little(offset, 8) : []
            let none = 0xFFFF_FFFF
            directory +=
                Self.little(0x0201_4B50, 4) + Self.little(20, 2) + Self.little(20, 2)
                + Self.little(flags, 2) + Self.little(file.method, 2) + Self.little(0, 4)
                + Self.little(checksum, 4) + Self.little(isLarge ? none : content.count, 4)
                + Self.little(isLarge ? none : size, 4) + Self.little(name.count, 2)
                + Self.little(extra.count, 2) + Self.little(0, 2 + 2 + 2 + 4)
                + Self.little(isLarge ? none : offset, 4) + name + extra
        }
        let start = body.count
        if isLarge {
            directory +=
                Self.little(0x0606_4B50, 4) + Self.little(44, 8) + Self.little(0, 2 + 2 + 4 + 4)
                + Self.little(files.count, 8) + Self.little(files.count, 8)
                + Self.little(directory.count, 8) + Self.little(start, 8)
                + Self.little(0x0706_4B50, 4) + Self.little(0, 4)
                + Self.little(start + directory.count, 8) + Self.little(1, 4)
        }
        let size = isLarge ? 0xFFFF_FFFF : directory.count
        return body + directory + Self.little(0x0605_4B50, 4) + Self.little(0, 4)
            + Self.little(isLarge ? 0xFFFF : files.count, 2)
            + Self.little(isLarge ? 0xFFFF : files.count, 2) + Self.little(size, 4)
            + Self.little(isLarge ? 0xFFFF_FFFF : start, 4) + Self.little(comment.count, 2)
            + comment
    }

    static func little(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> ($0 * 8)) : 0 }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var register: UInt32 = ~0
        for byte in bytes {
            register ^= UInt32(byte)
            for _ in 0..<8 {
                register = register & 1 == 1 ? 0xEDB8_8320 ^ (register >> 1) : register >> 1
            }
        }
        return ~register
    }

    /// One block with the fixed code; runs of a byte become repetitions.
    public static func deflate(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var buffer = 0
        var used = 0
        func put(_ value: Int, _ count: Int) {
            buffer |= value << used
            used += count
            while used >= 8 {
                output.append(UInt8(buffer & 0xFF))
                buffer >>= 8
                used -= 8
            }
        }
        // Codes are sent from their highest bit.
        func code(_ value: Int, _ count: Int) {
            for bit in stride(from: count - 1, through: 0, by: -1) { put(value >> bit & 1, 1) }
        }
        put(0b011, 3)
        var index = 0
        while index < bytes.count {
            let byte = Int(bytes[index])
            code(byte < 144 ? 0x30 + byte : 0x190 + byte - 144, byte < 144 ? 8 : 9)
            index += 1
            var run = 0
            while run < 258, index + run < bytes.count, bytes[index + run] == bytes[index - 1] {
                run += 1
            }
            if run == 258 {
                // Length 258 is symbol 285, distance 1 is code 0.
                code(0xC0 + 285 - 280, 8)
                code(0, 5)
                index += run
            }
        }
        code(0, 7)
        put(0, 7)
        return output
    }
}
