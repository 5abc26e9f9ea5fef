import CNGHTTP2

/// A field list for nghttp2: an array that points into pinned bytes.
///
/// In that of an answer everything but the date is fixed. ``withFields(date:_:)`` copies the array
/// of at most a dozen entries to the stack and appends the date, so that several workers can share
/// one block.
final class HTTP2FieldBlock: Sendable {
    private let text: PinnedBytes
    // Written in init only, like the bytes it points to.
    nonisolated(unsafe) let fields: UnsafeMutableBufferPointer<nghttp2_nv>

    /// The list of an answer, which has to outlive its stream.
    ///
    /// - Parameter fields: names are converted to lower case (RFC 9113 §8.2); connection-specific
    ///   fields of HTTP/1.1 are omitted (§8.2.2).
    convenience init(status: Int, fields: [HTTPField]) {
        let sent = fields.filter { !Self.isConnectionSpecific($0.name) }
            .map { HTTPField(name: $0.name.lowercased(), value: $0.value) }
        self.init(
            [HTTPField(name: ":status", value: String(status))] + sent
                + [HTTPField(name: "date", value: "")],
            flags: NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue
                | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue)
    }

    /// - Parameter fields: exactly these, in this order.
    init(_ fields: [HTTPField], flags: UInt32) {
        var octets: [UInt8] = []
        var extents: [(name: Int, value: Int, end: Int)] = []
        for field in fields {
            let start = octets.count
            octets += field.name.utf8
            let middle = octets.count
            octets += field.value.utf8
            extents.append((start, middle, octets.count))
        }
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
                    flags: UInt8(flags)))
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
