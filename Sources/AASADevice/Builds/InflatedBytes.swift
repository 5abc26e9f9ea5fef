import HTTP
import Reactor

/// A compressed file of an archive, read forwards with a window of some 100 KB in memory.
///
/// A read before the window begins anew: an executable is read at its head and at its end, in this
/// order, and so is inflated once.
final class InflatedBytes {
    private let size: Int
    private let part: ByteSource
    private let checksum: UInt32
    private let spend: (Int) -> Bool
    private var inflate = Inflate([], maximum: 0)
    private var running = CRC32()
    /// The number of compressed bytes that were read.
    private var taken = 0
    /// The error that ended reading them.
    private var problem: Problem?

    /// - Parameter spend: counts inflated bytes; false if there were too many.
    init(_ part: ByteSource, _ entry: ZipArchive.Entry, spend: @escaping (Int) -> Bool) {
        self.part = part
        self.spend = spend
        size = entry.size
        checksum = entry.checksum
        begin()
    }

    private func begin() {
        // One more than promised shows that the size is wrong.
        inflate = Inflate([], maximum: size + 1) { [unowned self] in self.piece() }
        running = CRC32()
        taken = 0
        problem = nil
    }

    /// The next compressed bytes; none at the end, or after an error.
    private func piece() -> [UInt8] {
        let count = min(BuildLimits.pieceBytes, part.size - taken)
        do throws(Problem) {
            let bytes = try part.read(at: taken, count: count)
            taken += count
            return bytes
        } catch {
            problem = error
            return []
        }
    }

    /// The bytes of a range that is inside.
    func read(at offset: Int, count: Int) throws(Problem) -> [UInt8] {
        if offset < inflate.dropped { begin() }
        var bytes: [UInt8] = []
        while bytes.count < count {
            let from = offset + bytes.count
            let ready = min(inflate.count, offset + count)
            if from < ready {
                bytes += inflate.output[(from - inflate.dropped)..<(ready - inflate.dropped)]
                continue
            }
            try step()
        }
        // The whole file was asked for: nothing may follow, and its checksum has to fit.
        if offset + count == size { while !inflate.isEnded { try step() } }
        return bytes
    }

    private func step() throws(Problem) {
        let before = inflate.count
        inflate.drop()
        do throws(ContentDecoder.Failure) {
            try inflate.run(until: before + BuildLimits.pieceBytes)
        } catch {
            if let problem { throw problem }
            throw part.damaged(
                "\(error)".replacing("the compressed body cannot be decoded: ", with: ""))
        }
        guard spend(inflate.count - before) else {
            throw Problem(
                place: part.name,
                cause: "the build expands to more than \(BuildLimits.inflatedBytesMaximum) bytes",
                remedy: "Check that the build is what Xcode exported, or give its .app as a folder."
            )
        }
        running.update(inflate.output[(before - inflate.dropped)...])
        guard inflate.isEnded || inflate.count > size else { return }
        guard inflate.count == size else {
            throw part.damaged("it expands to \(inflate.count) bytes instead of \(size)")
        }
        guard running.value == checksum else { throw part.damaged("its checksum does not fit") }
    }
}
