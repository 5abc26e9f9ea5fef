import CTexts

/// A text that is compiled in: a file beside the code that reads it.
package enum Text {
    /// The catalogues of findings: of documents, of hosts and builds, of site folders.
    case lintCatalog, checkCatalog, siteCatalog
    /// The kinds of files that are not JSON, and what is wrong with an app ID.
    case fileKinds, appIDProblems
    /// The codes of `$(region)` and `$(lang)`.
    case regionCodes, languageCodes
    /// The JSON Schemas of findings and of a build's report.
    case findingSchema, buildSchema
    /// What each metric is.
    case metrics
    /// The parts of the status page.
    case statusPage, statusStyle, statusScript
    /// The style of a storm's report.
    case stormStyle
    /// The files of the site that `aasa try` makes.
    case sampleShop, sampleNews, sampleSecurity

    package var bytes: [UInt8] {
        let text =
            switch self {
            case .lintCatalog: CTexts_lint_catalog()
            case .checkCatalog: CTexts_check_catalog()
            case .siteCatalog: CTexts_site_catalog()
            case .fileKinds: CTexts_file_kinds()
            case .appIDProblems: CTexts_app_id_problems()
            case .regionCodes: CTexts_region_codes()
            case .languageCodes: CTexts_language_codes()
            case .findingSchema: CTexts_finding_schema()
            case .buildSchema: CTexts_build_schema()
            case .metrics: CTexts_metrics()
            case .statusPage: CTexts_status_html()
            case .statusStyle: CTexts_status_css()
            case .statusScript: CTexts_status_js()
            case .stormStyle: CTexts_storm_css()
            case .sampleShop: CTexts_sample_shop()
            case .sampleNews: CTexts_sample_news()
            case .sampleSecurity: CTexts_sample_security()
            }
        return Array(UnsafeBufferPointer(start: text.start, count: text.count))
    }

    package var string: String { String(decoding: bytes, as: UTF8.self) }
}
