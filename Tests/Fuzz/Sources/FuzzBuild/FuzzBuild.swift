import Reactor

@testable import AASADevice

/// Any bytes as an archive, and as an executable: whatever they are, they are read within the
/// limits, or an error says what is wrong.
func fuzzBuild(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let file = Input(Array(UnsafeBufferPointer(start: start, count: count)))
    expectProblem { () throws(Problem) in
        let build = try AppBuild(archive: file)
        for finding in BuildRules.findings(of: build, source: nil, now: 1_790_000_000) {
            precondition(!finding.message.isEmpty && finding.remedy?.isEmpty != true)
        }
    }
    expectProblem { () throws(Problem) in
        for slice in try MachOFile(file).slices {
            guard let signature = slice.signature else { continue }
            precondition(signature.identifier?.isEmpty != true)
            _ = signature.encodedEntitlements.map(EncodedEntitlements.read)
        }
    }
    return 0
}

private func expectProblem(_ read: () throws(Problem) -> Void) {
    do throws(Problem) {
        try read()
    } catch {
        precondition(!error.place.isEmpty && !error.cause.isEmpty && !error.remedy.isEmpty)
    }
}

private final class Input: ByteSource {
    let name = "App.ipa"
    private let bytes: [UInt8]
    var size: Int { bytes.count }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func read(at offset: Int, count: Int) throws(Problem) -> [UInt8] {
        try check(offset, count)
        return Array(bytes[offset..<offset + count])
    }
}
