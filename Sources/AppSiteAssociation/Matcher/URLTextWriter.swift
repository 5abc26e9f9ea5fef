/// Writes one form of a URL's parts into scratch memory.
struct URLTextWriter {
    private let url: URLParts
    private let scratch: MatchScratch
    private var byteCount = 0
    private var itemCount = 0

    /// Reserves memory for all four forms at once, so that pointers stay valid while rules are
    /// compared.
    init(url: URLParts, scratch: MatchScratch) {
        self.url = url
        self.scratch = scratch
        // A byte that is not allowed in a URL becomes three; folding may double a decoded byte. The
        // query is stored twice: as a whole, and as items.
        let perForm = 2 * 3 * url.bytes.count + 8
        let items = url.bytes.reduce(1) { $0 + ($1 == UInt8(ascii: "&") ? 1 : 0) }
        scratch.reserve(bytes: URLForm.count * perForm, items: URLForm.count * items)
    }

    mutating func text(in form: URLForm) -> URLText {
        url.bytes.withUnsafeBufferPointer { bytes in
            let pathStart = byteCount
            let pathEnd = append(bytes, url.path, form).count + pathStart
            byteCount = pathEnd + 1  // room for the slash of PathText
            let query = append(bytes, url.query ?? 0..<0, form)
            let fragment = append(bytes, url.fragment ?? 0..<0, form)
            return URLText(
                path: PathText(scratch.bytes + pathStart, count: pathEnd - pathStart),
                query: query, fragment: fragment, items: items(bytes, form))
        }
    }

    private mutating func items(
        _ bytes: UnsafeBufferPointer<UInt8>, _ form: URLForm
    ) -> UnsafeBufferPointer<QueryItemText> {
        let first = itemCount
        guard let query = url.query else { return UnsafeBufferPointer(start: nil, count: 0) }
        var start = query.lowerBound
        while start <= query.upperBound {
            let end =
                bytes[start..<query.upperBound].firstIndex(of: UInt8(ascii: "&"))
                ?? query.upperBound
            let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "="))
            let name = append(bytes, start..<(equals ?? end), form)
            let value = append(bytes, equals.map { ($0 + 1)..<end } ?? end..<end, form)
            (scratch.items + itemCount).initialize(to: QueryItemText(name: name, value: value))
            itemCount += 1
            start = end + 1
        }
        var items = UnsafeMutableBufferPointer(
            start: scratch.items + first, count: itemCount - first)
        if items.count > URLText.itemsUnsorted {
            // Equal names stay as they were written, one behind the other.
            items.sort { left, right in
                left.name.isBefore(right.name)
                    || !right.name.isBefore(left.name) && left.name.base < right.name.base
            }
        }
        return UnsafeBufferPointer(items)
    }

    private mutating func append(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ form: URLForm
    ) -> PatternText {
        let start = byteCount
        let memory = scratch.bytes
        var count = byteCount
        if form.decodes {
            // If the folded text grew over the decoded text it is read from, the two would overlap.
            // So folding reads from a place after the longest possible result.
            let source = form.folds ? start + CaseFolding.growth * range.count : start
            var end = source
            Self.decode(bytes, range) {
                memory[end] = $0
                end += 1
            }
            count = end
            if form.folds {
                count = start
                CaseFolding.fold(UnsafeBufferPointer(start: memory + source, count: end - source)) {
                    memory[count] = $0
                    count += 1
                }
            }
        } else {
            for byte in bytes[range] {
                if URLParts.mayStand(byte) {
                    memory[count] = form.folds ? CaseFolding.folded(byte) : byte
                    count += 1
                } else {
                    memory[count] = UInt8(ascii: "%")
                    memory[count + 1] = Self.hexDigit(byte >> 4, folded: form.folds)
                    memory[count + 2] = Self.hexDigit(byte & 15, folded: form.folds)
                    count += 3
                }
            }
        }
        byteCount = count
        return PatternText(base: UnsafePointer(memory + start), count: count - start)
    }

    private static func hexDigit(_ value: UInt8, folded: Bool) -> UInt8 {
        value < 10
            ? UInt8(ascii: "0") + value : UInt8(ascii: folded ? "a" : "A") + value - 10
    }

    /// Percent-decodes; a `%` without two hexadecimal digits is literal.
    private static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, emit: (UInt8) -> Void
    ) {
        var index = range.lowerBound
        while index < range.upperBound {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < range.upperBound,
                let high = value(ofHexDigit: bytes[index + 1]),
                let low = value(ofHexDigit: bytes[index + 2])
            {
                emit(high << 4 | low)
                index += 3
            } else {
                emit(bytes[index])
                index += 1
            }
        }
    }

    private static func value(ofHexDigit digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
