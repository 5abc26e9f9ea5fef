extension AppIdentifier {
    /// Which of the known apps is probably meant by one that is not among them, and in what they
    /// differ; nil if none is near.
    ///
    /// ```
    /// 9JA89QQLNQ.com.example.Shop is listed and looks similar
    /// ```
    public static func nearMiss(of app: String, among known: [String]) -> String? {
        let bundle = app.drop { $0 != "." }.dropFirst()
        if let other = known.first(where: { $0 != app && $0.lowercased() == app.lowercased() }) {
            return "\(other) is listed and differs only in case; devices compare exactly"
        }
        if !bundle.isEmpty,
            let other = known.first(where: {
                $0 != app && $0.drop { $0 != "." }.dropFirst().lowercased() == bundle.lowercased()
            })
        {
            return "the same bundle ID is listed with the prefix \(other.prefix { $0 != "." }); "
                + "check which one is the App ID prefix"
        }
        if let other = known.first(where: { $0.hasSuffix("." + app) || $0 == String(bundle) }) {
            return "\(other) is listed; an identifier is the prefix, a full stop and the bundle ID"
        }
        let near = known.filter { $0 != app && $0.utf8.count < 256 && app.utf8.count < 256 }.first {
            look($0.unicodeScalars) == look(app.unicodeScalars)
                || Spelling.distance(Array($0.utf8), Array(app.utf8), limit: 1) == 1
        }
        return near.map { "\($0) is listed and looks similar" }
    }

    /// Equal for identifiers that differ in their prefix, in case or in characters that look alike.
    static func alike(_ app: String) -> String {
        look(app.unicodeScalars.drop { $0 != "." }).lowercased()
    }

    /// The text with one of all characters that look alike.
    private static func look(_ text: some Sequence<Unicode.Scalar>) -> String {
        var looks = String.UnicodeScalarView()
        for letter in text {
            switch letter {
            case "O", "0": looks.append("o")
            case "I", "1", "l": looks.append("i")
            case "S", "5": looks.append("s")
            case "B", "8": looks.append("b")
            case "Z", "2": looks.append("z")
            case "а": looks.append("a")
            case "е": looks.append("e")
            case "о": looks.append("o")
            case "с": looks.append("c")
            case "р": looks.append("p")
            default: looks.append(letter)
            }
        }
        return String(looks)
    }
}
