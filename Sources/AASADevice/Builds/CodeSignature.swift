import OpenSSL
import Reactor

/// The parts of a code signature that concern associations (`cs_blobs.h`): the identifier and team
/// in the code directory, the entitlements in both forms, and whether they are what was signed.
///
/// The pages of code are not compared with their digests, and the certificate is not traced to
/// Apple's root, which is not on this machine.
struct CodeSignature: Sendable {
    private(set) var identifier: String?
    private(set) var team: String?
    /// Signed without a certificate: `codesign -s -`.
    private(set) var isAdHoc = false
    /// The property list, as it is in the signature.
    private(set) var entitlements: [UInt8]?
    /// The same in DER, which iOS 15 and later read.
    private(set) var encodedEntitlements: [UInt8]?
    /// Whether the signature over the code directory holds; true without a certificate.
    private(set) var isSealed = true
    /// Whether a form of the entitlements is another than the code directory has a digest of.
    private(set) var hasOtherEntitlements = false
    /// The SHA-256 digest of `Info.plist`; nil if there is none, or one of another kind.
    private(set) var infoDigest: [UInt8]?

    /// `CSMAGIC_…` of the code directory, the entitlements in both forms, and the signature, by
    /// slot.
    private static let magics = [
        0: 0xFADE_0C02, 5: 0xFADE_7171, 7: 0xFADE_7172, 0x1_0000: 0xFADE_0B01,
    ]

    init(_ source: ByteSource) throws(Problem) {
        let head = try source.read(at: 0, count: 12)
        // CSMAGIC_EMBEDDED_SIGNATURE.
        guard head.big32(0) == 0xFADE_0CC0, let count = head.big32(8),
            count <= BuildLimits.blobsMaximum
        else { throw source.damaged("its signature does not begin with a valid header") }
        let index = try source.read(at: 12, count: count * 8)
        let places = (0..<count).map {
            (slot: index.big32($0 * 8) ?? 0, offset: index.big32($0 * 8 + 4) ?? 0)
        }
        var parts: [Int: [UInt8]] = [:]
        // In the order of the file, so that a compressed one is read once.
        for (slot, offset) in places.sorted(by: { $0.offset < $1.offset }) {
            let head = try source.read(at: offset, count: 8)
            guard let magic = head.big32(0), let size = head.big32(4), size >= 8 else {
                throw source.damaged("a part of its signature has no size")
            }
            try source.check(offset, size)
            guard let expected = Self.magics[slot] else { continue }
            guard magic == expected else {
                throw source.damaged("a part of its signature has another type than its index says")
            }
            let maximum =
                slot == 0
                ? BuildLimits.codeDirectoryBytesMaximum : BuildLimits.entitlementBytesMaximum
            guard size <= maximum else {
                throw source.damaged(
                    "a part of its signature has \(size) bytes; at most \(maximum) are read")
            }
            parts[slot] = try source.read(at: offset, count: size)
        }
        entitlements = parts[5].map { Array($0.dropFirst(8)) }
        encodedEntitlements = parts[7].map { Array($0.dropFirst(8)) }
        guard let directory = parts[0] else { return }
        guard let version = directory.big32(8), let flags = directory.big32(12),
            let name = directory.big32(20)
        else { throw source.damaged("its code directory is not whole") }
        identifier = try Self.name(directory, name, source)
        // Version 0x20200 added the team.
        if version >= 0x2_0200, let place = directory.big32(48), place > 0 {
            team = try Self.name(directory, place, source)
        }
        let seal = parts[0x1_0000]?.dropFirst(8) ?? []
        isAdHoc = flags & 2 != 0 || seal.isEmpty
        if !isAdHoc { isSealed = CMSVerifier.holds(Array(seal), over: directory) == true }
        guard let digests = Self.digests(directory) else { return }
        infoDigest = digests(1)
        hasOtherEntitlements = [5, 7].contains { slot in
            parts[slot].map { digests(slot) != sha256($0) } ?? false
        }
    }

    /// The digests that a code directory has of parts outside the code, by slot; nil unless they
    /// are SHA-256, as all are since 2016.
    private static func digests(_ directory: [UInt8]) -> ((Int) -> [UInt8]?)? {
        guard let end = directory.big32(16), let count = directory.big32(24),
            directory.count >= 44, directory[36] == 32, directory[37] == 2, end <= directory.count,
            end - count * 32 >= 44
        else { return nil }
        return { slot in
            guard slot <= count else { return nil }
            let digest = Array(directory[(end - slot * 32)..<(end - slot * 32 + 32)])
            return digest.allSatisfy { $0 == 0 } ? nil : digest
        }
    }

    /// A text that ends with a zero byte, and has at least one byte before it.
    private static func name(
        _ directory: [UInt8], _ place: Int, _ source: ByteSource
    ) throws(Problem) -> String {
        let rest = directory.dropFirst(place)
        let bytes = rest.prefix(BuildLimits.nameBytesMaximum).prefix { $0 != 0 }
        guard !bytes.isEmpty else { throw source.damaged("its code directory lacks a name") }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension CodeSignature: Equatable {
    /// Whether two architectures claim the same; their digests differ.
    static func == (a: Self, b: Self) -> Bool {
        (a.identifier, a.team, a.isAdHoc) == (b.identifier, b.team, b.isAdHoc)
            && a.entitlements == b.entitlements && a.encodedEntitlements == b.encodedEntitlements
    }
}
