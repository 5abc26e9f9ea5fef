import Texts

/// The codes of the built-in variables `$(region)` and `$(lang)`.
///
/// Apple defines them by Foundation: `Locale.isoRegionCodes` and `Locale.isoLanguageCodes`
/// (*applinks.SubstitutionVariables*). The regions are the 257 two-letter codes that Apple's own
/// tool accepts; `UK`, which Apple's prose uses, is not one of them. The languages are those of the
/// Foundation that ships with Swift 6.3 (615; macOS 27 has 631, the rest is not published).
enum LocaleCodes {
    static let regions = words(.regionCodes)
    static let languages = words(.languageCodes)

    private static func words(_ text: Text) -> Set<String> {
        Set(text.string.split(whereSeparator: \.isWhitespace).map(String.init))
    }
}
