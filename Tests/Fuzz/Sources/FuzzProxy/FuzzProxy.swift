@testable import AASAServer

/// Bytes of a front into the header of the PROXY protocol. Whatever they are: the verdict on a part
/// of them is "more" or the one on the whole, and a header ends within its bytes and its bound.
func fuzzProxy(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: start, count: count)
    let verdict = ProxyHeader.read(input)
    if case .whole(let header) = verdict {
        precondition(header.byteCount <= count)
        precondition(header.byteCount <= ProxyHeader.byteCountMaximum)
        if case .client(let address) = header.sender { precondition(!address.description.isEmpty) }
    }
    if case .incomplete = verdict { precondition(count <= ProxyHeader.byteCountMaximum) }
    var last = ProxyHeader.Verdict.incomplete
    for length in 0...min(count, ProxyHeader.byteCountMaximum) {
        let part = ProxyHeader.read(UnsafeRawBufferPointer(rebasing: input[..<length]))
        // What is known once stays known.
        if last != .incomplete { precondition(part == last) }
        last = part
    }
    precondition(last == verdict || count > ProxyHeader.byteCountMaximum)
    return 0
}
