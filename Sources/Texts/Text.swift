import CTexts

/// A text that is compiled in: a file beside the code that reads it.
package enum Text {
    /// The catalogues of findings: of documents, of hosts and builds, of site folders.
    case lintCatalog, checkCatalog, siteCatalog
    /// The JSON Schema of a build's report.
    case buildSchema
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
