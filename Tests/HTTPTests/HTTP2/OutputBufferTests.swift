import TestSupport
import Testing

@testable import HTTP

struct OutputBufferTests {
    let body = PinnedBytes(Array(0..<50))

    func fill(_ count: Int, _ use: (UnsafeMutableRawBufferPointer) -> Int) -> [UInt8] {
        var memory = [UInt8](repeating: 0xFF, count: count)
        let written = memory.withUnsafeMutableBytes(use)
        return Array(memory.prefix(written))
    }

    @Test func aFrameIsSplitAndItsRestComesFirst() {
        var output = OutputBuffer()
        let first = fill(20) { memory in
            output.begin(memory)
            let isTaken = [UInt8](repeating: 7, count: 9).withUnsafeBytes {
                output.write(head: $0, content: body.bytes, owner: body)
            }
            #expect(isTaken && output.hasRest)
            // Nothing may come between.
            expectEqual([UInt8(1)].withUnsafeBytes { output.write($0) }, 0)
            return output.finish()
        }
        expectEqual(first, Array(repeating: 7, count: 9) + Array(0..<11))
        let second = fill(30) {
            output.begin($0)
            return output.finish()
        }
        #expect(second == Array(11..<41) && output.hasRest)
        let third = fill(30) { memory in
            output.begin(memory)
            expectEqual([UInt8(99)].withUnsafeBytes { output.write($0) }, 1)
            return output.finish()
        }
        #expect(third == Array(41..<50) + [99] && !output.hasRest)
    }

    @Test func controlFramesAreWholeOrNotThere() {
        var output = OutputBuffer()
        let frame = [UInt8](repeating: 5, count: 12)
        let first = fill(20) { memory in
            output.begin(memory)
            expectEqual(frame.withUnsafeBytes { output.write($0) }, 12)
            expectEqual(frame.withUnsafeBytes { output.write($0) }, 0)
            let isTaken = [UInt8](repeating: 7, count: 9).withUnsafeBytes {
                output.write(head: $0, content: body.bytes, owner: body)
            }
            #expect(!isTaken)
            return output.finish()
        }
        expectEqual(first, frame)
        // Only what is larger than the whole buffer is taken in parts.
        let second = fill(10) { memory in
            output.begin(memory)
            expectEqual(frame.withUnsafeBytes { output.write($0) }, 10)
            return output.finish()
        }
        expectEqual(second.count, 10)
    }
}
