/// Immutable bytes at an address that never changes.
///
/// The send path uses pointers into them: TLS reads the body directly from the snapshot's memory,
/// and nghttp2 points to field names and values without copying. A Swift array guarantees no stable
/// address.
package final class PinnedBytes: Sendable {
    // The memory is written once, before init returns, and freed in deinit. In between it is only
    // read, from any thread.
    package nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

    package init(_ source: [UInt8]) {
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: source.count, alignment: 16)
        memory.copyBytes(from: source)
        bytes = UnsafeRawBufferPointer(memory)
    }

    deinit {
        UnsafeMutableRawBufferPointer(mutating: bytes).deallocate()
    }

    package var count: Int { bytes.count }
}
