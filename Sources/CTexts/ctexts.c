#include "ctexts.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

#define TEXT(name) \
    struct CTexts_bytes CTexts_##name(void) { return (struct CTexts_bytes){name, sizeof name}; }

static const unsigned char lint_catalog[] = {
#embed "../AppSiteAssociation/Linter/Catalog/json.txt" suffix(, )
#embed "../AppSiteAssociation/Linter/Catalog/shape.txt" suffix(, )
#embed "../AppSiteAssociation/Linter/Catalog/structure.txt" suffix(, )
#embed "../AppSiteAssociation/Linter/Catalog/entries.txt" suffix(, )
#embed "../AppSiteAssociation/Linter/Catalog/components.txt" suffix(, )
#embed "../AppSiteAssociation/Linter/Catalog/patterns.txt" suffix(, )
#embed "../AppSiteAssociation/Linter/Catalog/variables.txt" suffix(, )
#embed "../AppSiteAssociation/Linter/Catalog/reach.txt" suffix(, )
#embed "../AppSiteAssociation/Linter/Catalog/app-identifiers.txt" suffix(, )
#embed "../AppSiteAssociation/Linter/Catalog/teams.txt" suffix(, )
#embed "../AppSiteAssociation/Linter/Catalog/sizes.txt" suffix(, )
#embed "../AppSiteAssociation/Linter/Catalog/entitlements.txt" suffix(, )
#embed "../AppSiteAssociation/Linter/Catalog/assetlinks.txt" suffix(, )
#embed "../AppSiteAssociation/Linter/Catalog/webauthn.txt" suffix(, )
#embed "../AppSiteAssociation/Linter/Catalog/passkey-endpoints.txt" suffix(, )
#embed "../AppSiteAssociation/Linter/Catalog/security-txt.txt" suffix(, )
#embed "../AppSiteAssociation/Linter/Catalog/change-password.txt" suffix(, )
#embed "../AppSiteAssociation/Linter/Catalog/limits.txt"
};
TEXT(lint_catalog)

static const unsigned char check_catalog[] = {
#embed "../AASADevice/Check/Catalog/addresses.txt" suffix(, )
#embed "../AASADevice/Check/Catalog/tls.txt" suffix(, )
#embed "../AASADevice/Check/Catalog/answers.txt" suffix(, )
#embed "../AASADevice/Check/Catalog/statuses.txt" suffix(, )
#embed "../AASADevice/Check/Catalog/redirects.txt" suffix(, )
#embed "../AASADevice/Check/Catalog/user-agents.txt" suffix(, )
#embed "../AASADevice/Check/Catalog/devices.txt" suffix(, )
#embed "../AASADevice/Check/Catalog/live-documents.txt" suffix(, )
#embed "../AASADevice/Check/Catalog/signed-files.txt" suffix(, )
#embed "../AASADevice/Check/Catalog/cdn.txt" suffix(, )
#embed "../AASADevice/Check/Catalog/siblings.txt" suffix(, )
#embed "../AASADevice/Check/Catalog/watching.txt" suffix(, )
#embed "../AASADevice/Builds/Catalog/builds.txt"
};
TEXT(check_catalog)

static const unsigned char site_catalog[] = {
#embed "../aasa/Lint/Catalog/site-folders.txt" suffix(, )
#embed "../aasa/Lint/Catalog/settings.txt" suffix(, )
#embed "../aasa/Lint/Catalog/property-lists.txt" suffix(, )
#embed "../aasa/Lint/Catalog/link-tests.txt" suffix(, )
#embed "../aasa/Lint/Catalog/certificates.txt"
};
TEXT(site_catalog)

static const unsigned char file_kinds[] = {
#embed "../AppSiteAssociation/JSON/file-kinds.json"
};
TEXT(file_kinds)

static const unsigned char json_faults[] = {
#embed "../AppSiteAssociation/JSON/json-faults.json"
};
TEXT(json_faults)

static const unsigned char property_list_faults[] = {
#embed "../AppSiteAssociation/Entitlement/property-list-faults.json"
};
TEXT(property_list_faults)

static const unsigned char app_id_problems[] = {
#embed "../AppSiteAssociation/Model/app-id-problems.json"
};
TEXT(app_id_problems)

static const unsigned char region_codes[] = {
#embed "../AppSiteAssociation/Pattern/region-codes.txt"
};
TEXT(region_codes)

static const unsigned char language_codes[] = {
#embed "../AppSiteAssociation/Pattern/language-codes.txt"
};
TEXT(language_codes)

static const unsigned char formats[] = {
#embed "../AppSiteAssociation/Schema/formats.json"
};
TEXT(formats)

static const unsigned char host_schema[] = {
#embed "../AASAServer/Site/host.schema.json"
};
TEXT(host_schema)

static const unsigned char well_known[] = {
#embed "../AASAServer/Site/well-known.json"
};
TEXT(well_known)

static const unsigned char finding_schema[] = {
#embed "../AppSiteAssociation/Schema/findings.schema.json"
};
TEXT(finding_schema)

static const unsigned char build_schema[] = {
#embed "../AASADevice/Builds/build-report.schema.json"
};
TEXT(build_schema)

static const unsigned char system_hellos[] = {
#embed "../AASADevice/Association/hellos.txt"
};
TEXT(system_hellos)

static const unsigned char scenario_words[] = {
#embed "../AASADevice/Credentials/scenario-words.txt"
};
TEXT(scenario_words)

static const unsigned char page_signs[] = {
#embed "../AASADevice/Check/Evaluation/page-signs.txt"
};
TEXT(page_signs)

static const unsigned char metrics[] = {
#embed "../AASAServer/Admin/metrics.txt"
};
TEXT(metrics)

static const unsigned char status_html[] = {
#embed "../AASAServer/Admin/Page/status.html"
};
TEXT(status_html)

static const unsigned char status_css[] = {
#embed "../AASAServer/Admin/Page/status.css"
};
TEXT(status_css)

static const unsigned char status_js[] = {
#embed "../AASAServer/Admin/Page/status.js"
};
TEXT(status_js)

static const unsigned char storm_css[] = {
#embed "../AASAStorm/Report/report.css"
};
TEXT(storm_css)

static const unsigned char sample_shop[] = {
#embed "../aasa/Files/Sample/shop.json"
};
TEXT(sample_shop)

static const unsigned char sample_news[] = {
#embed "../aasa/Files/Sample/news.json"
};
TEXT(sample_news)

static const unsigned char sample_security[] = {
#embed "../aasa/Files/Sample/security.txt"
};
TEXT(sample_security)
