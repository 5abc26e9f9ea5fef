import Reactor

/// Version 1 of the PROXY protocol: one line of text (proxy-protocol.txt section 2.1).
enum ProxyHeaderText {
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// - Parameter bytes: begin with `PROXY` and a blank.
    static func read(_ bytes: UnsafeRawBufferPointer) -> ProxyHeader.Verdict {
        let line = bytes.prefix(ProxyHeader.lineBytesMaximum)
        guard let end = line.firstIndex(of: lineFeed) else {
            return line.count < ProxyHeader.lineBytesMaximum ? .incomplete : .broken
        }
        guard end > 0, line[end - 1] == carriageReturn else { return .broken }
        let words = line[..<(end - 1)].split(separator: 32, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard let sender = sender(words) else { return .broken }
        return .whole(ProxyHeader(sender: sender, byteCount: end + 1))
    }

    private static func sender(_ words: [String]) -> ProxyHeader.Sender? {
        guard words.count > 1 else { return nil }
        // What follows UNKNOWN is ignored up to the end of the line.
        if words[1] == "UNKNOWN" { return .unknown }
        guard words.count == 6, words[1] == "TCP4" || words[1] == "TCP6",
            let port = port(words[4]), self.port(words[5]) != nil,
            let client = SocketAddress(host: words[2], port: port),
            let local = SocketAddress(host: words[3], port: 0)
        else { return nil }
        let wantsIPv6 = words[1] == "TCP6"
        // A zone is valid only on the front's machine.
        guard client.isIPv6 == wantsIPv6, local.isIPv6 == wantsIPv6,
            !(words[2] + words[3]).utf8.contains(UInt8(ascii: "%"))
        else { return nil }
        return .client(client)
    }

    /// Decimal, without leading zeros, so that a number has only one spelling.
    private static func port(_ text: String) -> UInt16? {
        UInt16(text).flatMap { "\($0)" == text ? $0 : nil }
    }
}
