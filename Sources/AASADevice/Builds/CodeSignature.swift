import Reactor

/// The parts of a code signature that concern associations (`cs_blobs.h`): the identifier and team
/// in the code directory, and the entitlements in both forms.
struct CodeSignature: Sendable, Equatable {
    private(set) var identifier: String?
    private(set) var team: String?
    /// Signed without a certificate: `codesign -s -`.
    private(set) var isAdHoc = false
    /// The property list, as it is in the signature.
    private(set) var entitlements: [UInt8]?
    /// The same in DER, which iOS 15 and later read.
    private(set) var encodedEntitlements: [UInt8]?

    /// `CSMAGIC_EMBEDDED_SIGNATURE` and the blobs in it.
    private enum Magic {
        static let superBlob = 0xFADE_0CC0
        static let codeDirectory = 0xFADE_0C02
        static let entitlements = 0xFADE_7171
        static let encodedEntitlements = 0xFADE_7172
    }

    init(_ source: any ByteSource) throws(Problem) {
        let head = try source.read(at: 0, count: 12)
        guard head.big32(0) == Magic.superBlob, let count = head.big32(8),
            count <= BuildLimits.blobsMaximum
        else { throw source.damaged("its signature does not begin as one") }
        let index = try source.read(at: 12, count: count * 8)
        var places: [(slot: Int, offset: Int)] = []
        for entry in 0..<count {
            guard let slot = index.big32(entry * 8), let offset = index.big32(entry * 8 + 4) else {
                throw source.damaged("a part of its signature has no place")
            }
            places.append((slot, offset))
        }
        // In the order of the file, so that a compressed one is read once.
        for (slot, offset) in places.sorted(by: { $0.offset < $1.offset }) {
            let head = try source.read(at: offset, count: 8)
            guard let magic = head.big32(0), let size = head.big32(4), size >= 8 else {
                throw source.damaged("a part of its signature has no size")
            }
            try source.check(offset, size)
            switch (slot, magic) {
            case (0, Magic.codeDirectory): try readDirectory(source, offset, size)
            case (5, Magic.entitlements):
                entitlements = try Self.content(source, offset, size)
            case (7, Magic.encodedEntitlements):
                encodedEntitlements = try Self.content(source, offset, size)
            case (0, _), (5, _), (7, _):
                throw source.damaged("a part of its signature is not what its place says")
            default: break
            }
        }
    }

    private static func content(
        _ source: any ByteSource, _ offset: Int, _ size: Int
    ) throws(Problem) -> [UInt8] {
        guard size <= BuildLimits.entitlementBytesMaximum else {
            throw source.damaged("its entitlements have \(size) bytes")
        }
        return try source.read(at: offset + 8, count: size - 8)
    }

    private mutating func readDirectory(
        _ source: any ByteSource, _ offset: Int, _ size: Int
    ) throws(Problem) {
        // Through `teamOffset`, which version 0x20200 added.
        let head = try source.read(at: offset, count: min(size, 52))
        guard let version = head.big32(8), let flags = head.big32(12),
            let identifierOffset = head.big32(20)
        else { throw source.damaged("its code directory is not whole") }
        isAdHoc = flags & 2 != 0
        identifier = try Self.name(source, offset, size, identifierOffset)
        if version >= 0x2_0200, let teamOffset = head.big32(48), teamOffset > 0 {
            team = try Self.name(source, offset, size, teamOffset)
        }
    }

    /// A text that ends with a zero byte.
    private static func name(
        _ source: any ByteSource, _ offset: Int, _ size: Int, _ place: Int
    ) throws(Problem) -> String {
        guard place < size else { throw source.damaged("a name in its code directory is missing") }
        let bytes = try source.read(
            at: offset + place, count: min(size - place, BuildLimits.nameBytesMaximum))
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
