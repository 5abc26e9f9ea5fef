/// The codes of the built-in variables `$(region)` and `$(lang)`.
///
/// Apple defines them by Foundation: `Locale.isoRegionCodes` and `Locale.isoLanguageCodes`
/// (*applinks.SubstitutionVariables*). The regions are the 257 two-letter codes that Apple's own
/// tool accepts; `UK`, which Apple's prose uses, is not one of them. The languages are those of the
/// Foundation that ships with Swift 6.3 (615; macOS 27 has 631, the rest is not published).
enum LocaleCodes {
    static let regions = words(PackageResources.region_codes_txt)
    static let languages = words(PackageResources.language_codes_txt)

    private static func words(_ bytes: [UInt8]) -> Set<String> {
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return Set(words.map(String.init))
    }
}
