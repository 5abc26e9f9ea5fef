import OpenSSL

/// An executable that a test makes: a header, load commands and a signature, and no code.
public struct MadeExecutable: Sendable {
    public enum Form: String, Sendable, CaseIterable {
        case little64, little32, fat
    }

    public var form = Form.little64
    public var isSigned = true
    public var isAdHoc = false
    public var isSimulator = false
    public var identifier: String
    public var team: String?
    public var list: [UInt8]?
    public var der: [UInt8]?
    /// `Info.plist` as it was signed.
    public var info: [UInt8]?
    /// The entitlements as they were signed, where others are in the executable.
    public var signedList: [UInt8]?
    /// Whether the code directory was changed after signing.
    public var isResealed = false
    /// Of the second architecture of a fat file; nil is the same.
    public var otherList: [UInt8]?
    /// Bytes between the load commands and the signature.
    public var padding = 40

    public init(identifier: String, team: String?) {
        self.identifier = identifier
        self.team = team
    }

    public var bytes: [UInt8] {
        switch form {
        case .little64, .little32: return slice(list, processor: 0x0100_000C)
        case .fat:
            let parts = [
                slice(list, processor: 0x0100_000C),
                slice(otherList ?? list, processor: 0x0100_0007),
            ]
            var bytes = Self.big(0xCAFE_BABE) + Self.big(2)
            var offset = 4096
            for (index, part) in parts.enumerated() {
                bytes += Self.big(index == 0 ? 0x0100_000C : 0x0100_0007) + Self.big(0)
                bytes += Self.big(offset) + Self.big(part.count) + Self.big(12)
                offset += (part.count + 4095) / 4096 * 4096
            }
            for part in parts {
                bytes += [UInt8](repeating: 0, count: (4096 - bytes.count % 4096) % 4096) + part
            }
            return bytes
        }
    }

    private static func big(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private func slice(_ list: [UInt8]?, processor: Int) -> [UInt8] {
        func word(_ number: Int) -> [UInt8] { Self.big(number).reversed() }
        let is64 = form != .little32
        // LC_BUILD_VERSION, a command that means nothing here, LC_CODE_SIGNATURE.
        var commands =
            [0x32, 24, isSimulator ? 7 : 2, 0, 0, 0].flatMap(word)
            + [0x2A, 16, 0, 0]
            .flatMap(word)
        let headerCount = is64 ? 32 : 28
        let start = headerCount + commands.count + (isSigned ? 16 : 0) + padding
        let signature = isSigned ? signature(list) : []
        if isSigned { commands += [0x1D, 16, start, signature.count].flatMap(word) }
        let header =
            [
                is64 ? 0xFEED_FACF : 0xFEED_FACE, processor, 0, 2, isSigned ? 3 : 2,
                commands.count, 0,
            ] + (is64 ? [0] : [])
        return header.flatMap(word) + commands + [UInt8](repeating: 0xAA, count: padding)
            + signature
    }

    private func signature(_ list: [UInt8]?) -> [UInt8] {
        let name: [UInt8] = Array(identifier.utf8) + [0]
        let teamName: [UInt8] = team.map { Array($0.utf8) + [0] } ?? []
        let list = list.map { Self.blob(0xFADE_7171, $0) }
        let der = der.map { Self.blob(0xFADE_7172, $0) }
        let signed = signedList.map { Self.blob(0xFADE_7171, $0) } ?? list
        // Digests of the slots 7 to 1 stand in front of those of the code.
        let digests = [der, nil, signed, nil, nil, nil, info].flatMap {
            $0.map(sha256) ?? [UInt8](repeating: 0, count: 32)
        }
        let end = 88 + name.count + teamName.count + digests.count
        var directory = [0x2_0400, isAdHoc ? 2 : 0, end, 88, 7, 0, 0].flatMap(Self.big)
        directory += [32, 2, 0, 12] + [UInt8](repeating: 0, count: 8)
        directory += Self.big(team == nil ? 0 : 88 + name.count)
        directory += [UInt8](repeating: 0, count: 88 - 8 - directory.count) + name + teamName
        let whole = Self.blob(0xFADE_0C02, directory + digests)
        var blobs: [(slot: Int, bytes: [UInt8])] = [(0, whole)]
        if let list { blobs.append((5, list)) }
        if let der { blobs.append((7, der)) }
        let seal = isAdHoc ? [] : Self.seal(isResealed ? whole.reversed() : whole)
        blobs.append((0x10000, Self.blob(0xFADE_0B01, seal)))
        var offset = 12 + blobs.count * 8
        var index: [UInt8] = []
        for blob in blobs {
            index += Self.big(blob.slot) + Self.big(offset)
            offset += blob.bytes.count
        }
        return Self.big(0xFADE_0CC0) + Self.big(offset) + Self.big(blobs.count) + index
            + blobs.flatMap(\.bytes)
    }

    private static func seal(_ directory: [UInt8]) -> [UInt8] {
        do {
            return try CMSSigner.sign(directory, with: MadeBuild.signer)
        } catch {
            fatalError("no signature: \(error)")
        }
    }

    private static func blob(_ magic: Int, _ content: [UInt8]) -> [UInt8] {
        big(magic) + big(content.count + 8) + content
    }
}
