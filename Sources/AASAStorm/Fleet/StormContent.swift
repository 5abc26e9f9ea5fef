/// The content of an answer. It is compared with content that is known: thousands of devices
/// receive the same document, and only what differs takes memory of its own.
struct StormContent {
    /// The largest body accepted: 32 times a device's limit.
    static let bytesMaximum = 4 << 20

    private let known: [UInt8]
    /// Bytes that equal the beginning of the known content, while ``own`` is nil.
    private var matching = 0
    /// Everything received, once it differs.
    private var own: [UInt8]?

    init(known: [UInt8]) { self.known = known }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if own != nil {
            own?.append(contentsOf: bytes)
            return
        }
        let rest = known[matching...]
        if rest.count >= bytes.count, rest.prefix(bytes.count).elementsEqual(bytes) {
            matching += bytes.count
        } else {
            own = Array(known[..<matching]) + bytes
        }
    }

    var bytes: [UInt8] {
        own ?? (matching == known.count ? known : Array(known[..<matching]))
    }
}
