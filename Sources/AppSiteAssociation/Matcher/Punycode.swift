/// Encodes internationalized names for DNS (RFC 3492, RFC 5891).
///
/// Names are only converted to lower case, as by browsers and Foundation for usual names; the
/// tables of UTS 46 are not used.
package enum Punycode {
    /// The name with every non-ASCII label as `xn--…`; nil if that is not possible.
    package static func ascii(_ name: String) -> String? {
        if name.utf8.allSatisfy({ $0 < 0x80 }) { return name }
        let labels = name.lowercased().split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "." || $0 == "\u{3002}" })
        var written: [String] = []
        for label in labels {
            if label.utf8.allSatisfy({ $0 < 0x80 }) {
                written.append(String(label))
            } else {
                guard let encoded = encoded(String(label)) else { return nil }
                written.append("xn--" + encoded)
            }
        }
        return written.joined(separator: ".")
    }

    private static let base = 36
    private static let lowest = 1
    private static let highest = 26
    private static let skew = 38
    private static let damp = 700
    /// A label has at most 63 bytes (RFC 1035); longer ones are not encoded.
    private static let scalarsMaximum = 63

    /// RFC 3492 section 6.3.
    private static func encoded(_ label: String) -> String? {
        let scalars = label.unicodeScalars.map { Int($0.value) }
        guard scalars.count <= scalarsMaximum else { return nil }
        var output = scalars.filter { $0 < 0x80 }
        let basic = output.count
        var handled = basic
        if basic > 0 { output.append(0x2D) }
        var next = 0x80
        var delta = 0
        var bias = 72
        while handled < scalars.count {
            guard let least = scalars.filter({ $0 >= next }).min() else { return nil }
            delta += (least - next) * (handled + 1)
            next = least
            for scalar in scalars {
                if scalar < next { delta += 1 }
                guard scalar == next else { continue }
                var rest = delta
                var step = base
                while true {
                    let threshold = min(max(step - bias, lowest), highest)
                    if rest < threshold { break }
                    output.append(digit(threshold + (rest - threshold) % (base - threshold)))
                    rest = (rest - threshold) / (base - threshold)
                    step += base
                }
                output.append(digit(rest))
                bias = adapted(delta, handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return String(decoding: output.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    private static func digit(_ value: Int) -> Int { value < 26 ? 0x61 + value : 0x30 + value - 26 }

    /// RFC 3492 section 6.1.
    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damp : delta / 2
        delta += delta / count
        var step = 0
        while delta > (base - lowest) * highest / 2 {
            delta /= base - lowest
            step += base
        }
        return step + (base - lowest + 1) * delta / (delta + skew)
    }
}
