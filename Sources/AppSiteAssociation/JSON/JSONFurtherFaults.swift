/// Finds errors after the first: each is fixed in a copy, and parsing continues.
///
/// Only what has one meaning is fixed, and characters inside strings that are not text: a missing
/// bracket would make everything after it an error.
extension JSONReader {
    /// Maximum of further errors.
    static let furtherFaultsMaximum = 20
    /// Maximum of bytes parsed for them: each needs a pass from the beginning.
    private static let furtherBytes = 4 << 20

    /// The errors after `first`, in order; empty if they cannot be found.
    public static func furtherFaults(after first: JSONError, in source: SourceText) -> [JSONError] {
        let size = max(1, source.bytes.count)
        let rounds = min(furtherFaultsMaximum, furtherBytes / size)
        guard rounds > 0, size <= JSONLimits.standard.bytesMaximum else { return [] }
        var found: [JSONError] = []
        var known: Set<Range<Int>> = [first.diagnostic.range ?? 0..<0]
        var fault = first
        var bytes = source.bytes
        // Where each byte of the copy, and its end, stands in the document.
        var origins = Array(0...source.bytes.count)
        for _ in 0..<rounds {
            guard let range = fault.diagnostic.range, range.upperBound <= bytes.count,
                let edits = fault.diagnostic.fix ?? filler(fault.code, range, bytes),
                let fixed = TextEdit.apply(edits, to: bytes)
            else { break }
            bytes = fixed
            for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
                let origin = origins[edit.range.lowerBound]
                origins.replaceSubrange(
                    edit.range, with: edit.replacement.map { _ in origin })
            }
            do throws(JSONError) {
                _ = try read(SourceText(name: source.name, bytes: bytes))
                break
            } catch {
                let place = error.diagnostic.range ?? error.offset..<error.offset
                let origin = origins[place.lowerBound]..<origins[place.upperBound]
                if known.insert(origin).inserted {
                    found.append(
                        JSONError(
                            error.code, in: source, at: origin, error.message,
                            remedy: error.remedy))
                }
                fault = error
            }
        }
        return found
    }

    /// Other text for what is wrong inside a string or a number.
    private static func filler(
        _ code: String, _ range: Range<Int>, _ bytes: [UInt8]
    ) -> [TextEdit]? {
        switch code {
        // A string that crosses the end of its line has no known end.
        case "json-control-character" where bytes[range.lowerBound] == 0x0A: return nil
        case "json-control-character" where bytes[range.lowerBound] == 0x0D: return nil
        case "json-control-character", "json-invalid-escape", "json-lone-surrogate",
            "json-invalid-utf8":
            return [TextEdit(range, Array("_".utf8))]
        case "json-invalid-number":
            let rest = bytes[range.upperBound...].prefix(while: \.isSchemeCharacter)
            return [TextEdit(range.lowerBound..<rest.endIndex, Array("1".utf8))]
        default: return nil
        }
    }
}
