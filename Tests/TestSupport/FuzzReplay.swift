public import Foundation

/// The inputs of the fuzzers, through the same functions that the fuzzers call.
public enum FuzzReplay {
    /// A fuzzer's entry: 0 when the input was taken as it should be.
    public typealias Target = (UnsafePointer<UInt8>, Int) -> CInt

    /// What one input came to.
    public struct Result: Sendable {
        public let file: String
        public let isGood: Bool
    }

    /// Replays what the fuzzer `name` starts from (`Corpus`) and what it once broke (`FailCases`).
    public static func run(_ name: String, _ target: Target) throws -> [Result] {
        let folder = Fixtures.packageRoot.appendingPathComponent("Tests/Fuzz")
        return try ["Corpus", "FailCases"].flatMap { kind in
            try run(
                Fixtures.files(below: folder.appendingPathComponent("\(kind)/\(name)")), target)
        }
    }

    /// Replays the bytes of each file.
    public static func run(_ files: [URL], _ target: Target) throws -> [Result] {
        try files.map { file in
            let bytes = [UInt8](try Data(contentsOf: file))
            let result = bytes.withUnsafeBufferPointer { buffer in
                // An empty file has no bytes to point at.
                buffer.baseAddress.map { target($0, buffer.count) } ?? 0
            }
            return Result(file: file.lastPathComponent, isGood: result == 0)
        }
    }
}
