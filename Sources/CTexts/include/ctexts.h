// The files that are compiled in. C reads them (`#embed`, C23 section 6.10.4): as an array of
// numbers, the form of SwiftPM's `.embedInCode`, they cost the Swift compiler a minute.
#ifndef AASA_CTEXTS_H
#define AASA_CTEXTS_H

#include <stddef.h>

struct CTexts_bytes {
    const unsigned char *start;
    size_t count;
};

// The catalogues of findings: one family after the other.
struct CTexts_bytes CTexts_lint_catalog(void);
struct CTexts_bytes CTexts_check_catalog(void);
struct CTexts_bytes CTexts_site_catalog(void);

// The kinds of files that are not JSON, the mistakes in JSON and in property lists, what is wrong
// with an app ID, and the codes of $(region) and $(lang).
struct CTexts_bytes CTexts_file_kinds(void);
struct CTexts_bytes CTexts_json_faults(void);
struct CTexts_bytes CTexts_property_list_faults(void);
struct CTexts_bytes CTexts_app_id_problems(void);
struct CTexts_bytes CTexts_region_codes(void);
struct CTexts_bytes CTexts_language_codes(void);

// What is known of the names below /.well-known/.
struct CTexts_bytes CTexts_well_known(void);

// The JSON Schemas of formats, of a host's settings, of findings and of a build's report.
struct CTexts_bytes CTexts_formats(void);
struct CTexts_bytes CTexts_host_schema(void);
struct CTexts_bytes CTexts_finding_schema(void);
struct CTexts_bytes CTexts_build_schema(void);

// The hellos of Apple's systems, the words of a scenario, and the signs of pages.
struct CTexts_bytes CTexts_system_hellos(void);
struct CTexts_bytes CTexts_scenario_words(void);
struct CTexts_bytes CTexts_page_signs(void);

// What each metric is.
struct CTexts_bytes CTexts_metrics(void);

// The parts of the status page, and the style of a storm's report.
struct CTexts_bytes CTexts_status_html(void);
struct CTexts_bytes CTexts_status_css(void);
struct CTexts_bytes CTexts_status_js(void);
struct CTexts_bytes CTexts_storm_css(void);

// The files of the site that `aasa try` makes.
struct CTexts_bytes CTexts_sample_shop(void);
struct CTexts_bytes CTexts_sample_news(void);
struct CTexts_bytes CTexts_sample_security(void);
#endif
