/// Fingerprints of findings that do not change when lines move, so that a code scanning service
/// (and a baseline) recognizes a finding.
///
/// Computed from code, file, message and the text at the place, not from lines or columns. Equal
/// ones are numbered.
struct Fingerprints {
    private var seen: [String: Int] = [:]

    /// The fingerprint of a finding; call it in the order of the findings of a run.
    ///
    /// - Parameter file: the name of its file, if not as the finding has it.
    mutating func next(for finding: Diagnostic, in file: String? = nil) -> String {
        let name = Self.name(of: finding, in: file ?? finding.file)
        let number = seen[name, default: 0] + 1
        seen[name] = number
        return "\(name):\(number)"
    }

    /// 64 bits of FNV-1a in hexadecimal digits.
    private static func name(of finding: Diagnostic, in file: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ text: String) {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            hash = (hash ^ 0xFF) &* 0x100_0000_01B3
        }
        add(finding.code)
        add(file)
        // Numbers in a message change with the document; the words around them do not.
        add(String(finding.message.unicodeScalars.filter { !("0"..."9").contains($0) }))
        return String(hash, radix: 16).padded(withZerosTo: 16)
    }
}
