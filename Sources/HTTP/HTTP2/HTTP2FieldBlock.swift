import CNGHTTP2

/// The field list of an answer for nghttp2: an array that points into pinned bytes.
///
/// Everything but the date is fixed. ``withFields(date:_:)`` copies the array of at most a dozen
/// entries to the stack and appends the date, so that several workers can share one block.
final class HTTP2FieldBlock: Sendable {
    private let text: PinnedBytes
    // Written in init only, like the bytes it points to.
    private nonisolated(unsafe) let fields: UnsafeMutableBufferPointer<nghttp2_nv>

    /// - Parameter fields: names are converted to lower case (RFC 9113 §8.2); connection-specific
    ///   fields of HTTP/1.1 are omitted (§8.2.2).
    init(status: Int, fields: [HTTPField]) {
        var octets: [UInt8] = []
        var extents: [(name: Int, value: Int, end: Int)] = []
        func append(_ name: String, _ value: String) {
            let start = octets.count
            octets += name.utf8.map(Octet.lowercased)
            let middle = octets.count
            octets += value.utf8
            extents.append((start, middle, octets.count))
        }
        append(":status", String(status))
        for field in fields where !Self.isConnectionSpecific(field.name) {
            append(field.name, field.value)
        }
        append("date", "")
        text = PinnedBytes(octets)
        self.fields = .allocate(capacity: extents.count)
        // nghttp2 declares names and values mutable but writes to neither.
        let base = UnsafeMutableRawBufferPointer(mutating: text.bytes).baseAddress
            .map { $0.assumingMemoryBound(to: UInt8.self) }
        for (index, extent) in extents.enumerated() {
            self.fields.initializeElement(
                at: index,
                to: nghttp2_nv(
                    name: base.map { $0 + extent.name }, value: base.map { $0 + extent.value },
                    namelen: extent.value - extent.name, valuelen: extent.end - extent.value,
                    flags: UInt8(
                        NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue
                            | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue)))
        }
    }

    deinit {
        fields.deallocate()
    }

    /// Calls `body` with the list and the date, which must live as long as the session.
    func withFields<Result>(
        date: HTTPDate, _ body: (UnsafePointer<nghttp2_nv>, Int) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: fields.count) { copy in
            _ = copy.initialize(from: fields)
            let last = fields.count - 1
            copy[last].value = UnsafeMutableRawBufferPointer(mutating: date.bytes).baseAddress
                .map { $0.assumingMemoryBound(to: UInt8.self) }
            copy[last].valuelen = HTTPDate.byteCount
            guard let base = copy.baseAddress else {
                preconditionFailure("the list always has a status")
            }
            return body(UnsafePointer(base), fields.count)
        }
    }

    private static func isConnectionSpecific(_ name: String) -> Bool {
        ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"]
            .contains(name.lowercased())
    }
}
