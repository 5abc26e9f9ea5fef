import Reactor

@testable import AASADevice

/// Any bytes as an archive, and as an executable: whatever they are, they are read within the
/// limits, or an error says what is wrong.
func fuzzBuild(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let file = ByteSource(name: "App.ipa", size: count) { Array(bytes[$0..<$0 + $1]) }
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
