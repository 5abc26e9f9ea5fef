/// The normalized path of a request (RFC 3986 §6.2.2): percent-encoded unreserved octets are
/// decoded, dot segments removed. Nothing else changes: case is kept, `//` is not `/`, and an
/// encoded reserved octet (`%2F`) is not the octet.
package enum RequestPath {
    /// Calls `body` with the normalized path, which is `path` itself if that is normal already.
    ///
    /// Cheap for a path without `%` and dot segments. The copy is at most as long as the path,
    /// which the limit on heads bounds.
    package static func withNormalForm<Result>(
        of path: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        guard path.first == Octet.slash, mayDiffer(path) else { return body(path) }
        return withUnsafeTemporaryAllocation(byteCount: path.count, alignment: 1) { copy in
            let decoded = decode(path, into: copy)
            let count = removeDotSegments(copy, decoded)
            return body(UnsafeRawBufferPointer(rebasing: copy[..<count]))
        }
    }

    private static func mayDiffer(_ path: UnsafeRawBufferPointer) -> Bool {
        if path.firstIndex(of: 0x25, from: 0, to: path.count) != nil { return true }
        var index = 0
        while let slash = path.firstIndex(of: Octet.slash, from: index, to: path.count) {
            index = slash &+ 1
            if index < path.count, path[index] == 0x2E,
                isDotSegment(path.slice(index, segmentEnd(path, index)))
            {
                return true
            }
        }
        return false
    }

    /// Decodes unreserved octets (§6.2.2.2); invalid percent-encoding is kept as it is.
    private static func decode(
        _ path: UnsafeRawBufferPointer, into copy: UnsafeMutableRawBufferPointer
    ) -> Int {
        var (from, to) = (0, 0)
        while from < path.count {
            var octet = path[from]
            if octet == 0x25, from &+ 2 < path.count,
                let high = Octet.hexValue(path[from &+ 1]),
                let low = Octet.hexValue(path[from &+ 2]),
                Octet.isUnreserved(high << 4 | low)
            {
                octet = high << 4 | low
                from &+= 2
            }
            copy[to] = octet
            to &+= 1
            from &+= 1
        }
        return to
    }

    /// Works in place (§5.2.4): the result is never longer than the input.
    ///
    /// - Returns: the number of octets left.
    private static func removeDotSegments(
        _ path: UnsafeMutableRawBufferPointer, _ count: Int
    ) -> Int {
        let all = UnsafeRawBufferPointer(rebasing: path[..<count])
        var (from, to) = (0, 0)
        // Each round handles one segment and the slash before it.
        while from < count {
            let end = segmentEnd(all, from &+ 1)
            let segment = all.slice(from &+ 1, end)
            guard isDotSegment(segment) else {
                for index in from..<end {
                    path[to] = all[index]
                    to &+= 1
                }
                from = end
                continue
            }
            if segment.count == 2 {
                while to > 0 {
                    to &-= 1
                    if path[to] == Octet.slash { break }
                }
            }
            // "/a/.." is "/", not empty.
            if end == count {
                path[to] = Octet.slash
                to &+= 1
            }
            from = end
        }
        return to
    }

    private static func segmentEnd(_ path: UnsafeRawBufferPointer, _ start: Int) -> Int {
        path.firstIndex(of: Octet.slash, from: start, to: path.count) ?? path.count
    }

    private static func isDotSegment(_ segment: UnsafeRawBufferPointer) -> Bool {
        segment.equals(".") || segment.equals("..")
    }
}
