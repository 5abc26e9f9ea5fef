/// Names of findings that stay when lines move: by them a code scanning service (and a baseline)
/// knows a finding again.
///
/// Made of code, file, message and the text at the place, not of lines or columns. Equal ones are
/// numbered in order.
struct Fingerprints {
    private var seen: [String: Int] = [:]

    /// The fingerprint of a finding; to be asked in the order of the findings of a run.
    mutating func next(for finding: Diagnostic) -> String {
        let name = Self.name(of: finding)
        let number = seen[name, default: 0] + 1
        seen[name] = number
        return "\(name):\(number)"
    }

    /// 64 bits of FNV-1a in hexadecimal digits.
    private static func name(of finding: Diagnostic) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ text: String) {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            hash = (hash ^ 0xFF) &* 0x100_0000_01B3
        }
        add(finding.code)
        add(finding.file)
        // Counts in a message change with the document; the words around them do not.
        add(String(finding.message.unicodeScalars.filter { !("0"..."9").contains($0) }))
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
