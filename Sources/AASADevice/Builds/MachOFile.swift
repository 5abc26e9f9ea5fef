import Reactor

/// An executable (`<mach-o/loader.h>`, `<mach-o/fat.h>`): the architectures in it, and where each
/// has its signature. Beyond 4 GiB (`FAT_MAGIC_64`) none is read, see ``BuildLimits``.
struct MachOFile: Sendable {
    /// One architecture.
    struct Slice: Sendable {
        /// `arm64`, `x86_64`, …
        let architecture: String
        /// Whether it is built for a simulator (`LC_BUILD_VERSION`).
        let isSimulator: Bool
        /// Nil if the linker or codesign left none.
        let signature: CodeSignature?
    }

    let slices: [Slice]

    private static let processors = [
        7: "i386", 0x0100_0007: "x86_64", 12: "arm", 0x0100_000C: "arm64", 0x0200_000C: "arm64_32",
    ]
    private static let signatureCommand = 0x1D
    private static let buildVersionCommand = 0x32
    /// `PLATFORM_…SIMULATOR` of iOS, tvOS, watchOS and visionOS.
    private static let simulators: Set = [7, 8, 9, 12]

    init(_ source: ByteSource) throws(Problem) {
        let head = try source.read(at: 0, count: min(source.size, 8))
        guard head.big32(0) == 0xCAFE_BABE else {
            slices = [try Self.slice(source)]
            return
        }
        guard let count = head.big32(4), (1...BuildLimits.slicesMaximum).contains(count) else {
            throw source.damaged("the number of its architectures is not plausible")
        }
        let width = 20
        let table = try source.read(at: 8, count: count * width)
        let places = (0..<count).map {
            (offset: table.big32($0 * width + 8) ?? 0, size: table.big32($0 * width + 12) ?? 0)
        }
        // In the order of the file, so that a compressed one is read once.
        slices = try places.sorted { $0.offset < $1.offset }.map { place throws(Problem) in
            try Self.slice(source.part(at: place.offset, count: place.size))
        }
    }

    private static func slice(_ source: ByteSource) throws(Problem) -> Slice {
        let head = try source.read(at: 0, count: min(source.size, 32))
        // In the byte order of all processors of the last 20 years.
        guard let magic = head.little(0, 4), [0xFEED_FACE, 0xFEED_FACF].contains(magic),
            head.count >= 28
        else {
            throw Problem(
                place: source.name, cause: "this is not an executable of Apple's systems (Mach-O)",
                remedy: "Check CFBundleExecutable in Info.plist, or export the build again.")
        }
        let start = magic == 0xFEED_FACF ? 32 : 28
        guard let processor = head.little(4, 4), let count = head.little(16, 4),
            let size = head.little(20, 4), size <= BuildLimits.loadCommandBytesMaximum,
            count <= size / 8
        else { throw source.damaged("its load commands are not plausible") }
        let commands = try source.read(at: start, count: size)
        var at = 0
        var isSimulator = false
        var place: (offset: Int, size: Int)?
        for _ in 0..<count {
            guard let command = commands.little(at, 4), let length = commands.little(at + 4, 4),
                length >= 8, length <= commands.count - at
            else { throw source.damaged("a load command is not whole") }
            if command == buildVersionCommand, length >= 12 {
                isSimulator = commands.little(at + 8, 4).map { simulators.contains($0) } ?? false
            }
            if command == signatureCommand, length >= 16,
                let offset = commands.little(at + 8, 4), let size = commands.little(at + 12, 4)
            {
                place = (offset, size)
            }
            at += length
        }
        var signature: CodeSignature?
        if let place {
            signature = try CodeSignature(source.part(at: place.offset, count: place.size))
        }
        return Slice(
            architecture: processors[processor] ?? "architecture \(processor)",
            isSimulator: isSimulator, signature: signature)
    }
}
