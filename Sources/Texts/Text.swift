import CTexts

/// A text that is compiled in: a file beside the code that reads it.
package struct Text {
    package let bytes: [UInt8]
    package var string: String { String(decoding: bytes, as: UTF8.self) }

    private init(_ text: CTexts_bytes) {
        bytes = Array(UnsafeBufferPointer(start: text.start, count: text.count))
    }

    /// The catalogues of findings: of documents, of hosts and builds, of site folders.
    package static var lintCatalog: Text { Text(CTexts_lint_catalog()) }
    package static var checkCatalog: Text { Text(CTexts_check_catalog()) }
    package static var siteCatalog: Text { Text(CTexts_site_catalog()) }

    /// The kinds of files that are not JSON, the mistakes in JSON and in property lists, what is
    /// wrong with an app ID, `$(region)`, `$(lang)`.
    package static var fileKinds: Text { Text(CTexts_file_kinds()) }
    package static var jsonFaults: Text { Text(CTexts_json_faults()) }
    package static var propertyListFaults: Text { Text(CTexts_property_list_faults()) }
    package static var appIDProblems: Text { Text(CTexts_app_id_problems()) }
    package static var regionCodes: Text { Text(CTexts_region_codes()) }
    package static var languageCodes: Text { Text(CTexts_language_codes()) }

    /// What is known of the names below `/.well-known/`.
    package static var wellKnown: Text { Text(CTexts_well_known()) }

    /// The JSON Schemas of formats, of a host's settings, of findings and of a build's report.
    package static var formats: Text { Text(CTexts_formats()) }
    package static var hostSchema: Text { Text(CTexts_host_schema()) }
    package static var findingSchema: Text { Text(CTexts_finding_schema()) }
    package static var buildSchema: Text { Text(CTexts_build_schema()) }

    /// The hellos of Apple's systems, the words of a scenario, and the signs of pages.
    package static var systemHellos: Text { Text(CTexts_system_hellos()) }
    package static var scenarioWords: Text { Text(CTexts_scenario_words()) }
    package static var pageSigns: Text { Text(CTexts_page_signs()) }

    /// What each metric is, the parts of the status page, and the style of a storm's report.
    package static var metrics: Text { Text(CTexts_metrics()) }
    package static var statusPage: Text { Text(CTexts_status_html()) }
    package static var statusStyle: Text { Text(CTexts_status_css()) }
    package static var statusScript: Text { Text(CTexts_status_js()) }
    package static var stormStyle: Text { Text(CTexts_storm_css()) }

    /// The files of the site that `aasa try` makes.
    package static var sampleShop: Text { Text(CTexts_sample_shop()) }
    package static var sampleNews: Text { Text(CTexts_sample_news()) }
    package static var sampleSecurity: Text { Text(CTexts_sample_security()) }
}
