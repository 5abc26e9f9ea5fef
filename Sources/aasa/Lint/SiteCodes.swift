import AppSiteAssociation

/// The codes of site folders, `host.json`, property lists, signed files and the linter's
/// configuration.
enum SiteCodes {
    static let families = [
        CodeEntry.Family("site folders", site), CodeEntry.Family("settings", settings),
        CodeEntry.Family("property lists", lists), CodeEntry.Family("tests for links", links),
        CodeEntry.Family("certificates", certificates),
    ]

    private static let site: [CodeEntry] = [
        CodeEntry(
            "site-alias-conflict", .error, "two hosts claim one name",
            why: "Which of them would answer is an accident; who served the name keeps it, else "
                + "the host whose folder is called so.",
            fix: "take the alias out of one host.json"),
        CodeEntry(
            "site-bad-host", .error, "a folder of the site whose name is no host name",
            why: "The folder's name is the host it is served for.",
            fix: "rename the folder to the host's name, in lower case and Punycode"),
        CodeEntry(
            "site-cannot-sign", .error, "the document cannot be signed",
            why: "host.json asks for the signed form, and the certificate or key for it is "
                + "missing or unfit, or does not cover an alias. A signature for another name is a "
                + "final no to a device, so the alias is answered without it.",
            fix: "put certificate and key for all names of the host into its folder under --certs, "
                + "or set form to json"),
        CodeEntry(
            "site-no-document", .error, "a host without an association document",
            why: "There is nothing to serve on the two association paths: they answer 503.",
            fix: "put one file per team into HOST/teams/"),
        CodeEntry(
            "site-not-a-fragment", .warning, "a file in teams/ that is no fragment",
            why: "Only PREFIX.json is merged; anything else is left out.",
            fix: "name it PREFIX.json, or move it away"),
        CodeEntry(
            "site-sibling-refused", .error, "a file in well-known/ that cannot be served",
            why: "Its name or size does not allow it.",
            fix: "rename it, or make it smaller"),
        CodeEntry(
            "site-settings-gone", .error, "host.json was there and is gone",
            why: "Without it aliases, form and certificate would change at once; its settings "
                + "stay in force.",
            fix: "put it back; if it is not to come back, run aasa reload"),
        CodeEntry(
            "site-sibling-empty", .error, "a file in well-known/ that was served and is empty now",
            why: "A full disk or a copy that was cut off leaves it so; what it held stays in "
                + "service.",
            fix: "write it again, or delete it if it is not to be served"),
        CodeEntry(
            "site-siblings-gone", .error, "well-known/ is gone, or went with the host's document",
            why: "That is how a volume looks that is not mounted; what was served stays in "
                + "service. One file that is taken away is meant.",
            fix: "put it back; if nothing of it is to be served, run aasa reload"),
        CodeEntry(
            "site-teams-gone", .error, "teams/ was gone and came back without some teams",
            why: "That is how a copy looks that goes on; the document that was served stays in "
                + "service until all teams were seen.",
            fix: "put them back; if they are not to come back, run aasa reload"),
        CodeEntry(
            "site-sibling-twice", .warning, "a hand-written sibling beside the teams' parts of it",
            why: "The file in well-known/ is served as it is, and the teams' parts are not.",
            fix: "move its content into the teams' files and delete it, or delete them"),
        CodeEntry(
            "site-too-many-siblings", .error, "more files in well-known/ than are served",
            why: "The table of paths is bounded; those known first are served.",
            fix: "take away what nobody asks for"),
        CodeEntry(
            "site-signature-ended", .error, "a ready-made signed file whose signer has expired",
            why: "Devices refuse it; the host answers 503.",
            fix: "sign it again with a certificate that is valid"),
        CodeEntry(
            "site-signed-too-large", .error, "the signed form is larger than what devices read",
            why: "The limit of 131,072 bytes counts JSON, signature and certificates. With form "
                + "auto the document is served as JSON alone; with form signed it is not published.",
            fix: "make the document smaller, or set form to json"),
        CodeEntry(
            "site-stray-file", .error, "a document that belongs to no host",
            why: "It stands in the site folder itself, where nothing is served from.",
            fix: "move it into the folder of its host"),
        CodeEntry(
            "site-two-defaults", .error, "two hosts answer for unknown names",
            why: "Only one can.",
            fix: "keep \"default\" in one host.json"),
        CodeEntry(
            "site-two-documents", .error, "a ready-made document beside fragments",
            why: "Which of the two is meant cannot be told.",
            fix: "keep teams/ or apple-app-site-association"),
        CodeEntry(
            "site-unknown-entry", .warning, "something in a host's folder that is not served",
            why: "A host has host.json, teams/, well-known/ and apple-app-site-association.",
            fix: "rename it, or move it away"),
        CodeEntry(
            "site-unreadable", .error, "a file or folder that cannot be read",
            why: "The server cannot serve what it cannot read.",
            fix: "make it readable for the user that runs aasa"),
    ]

    private static let settings: [CodeEntry] = [
        CodeEntry(
            "host-bad-alias", .error, "an alias that is no host name",
            why: "It is compared with the name that devices ask for.",
            fix: "write the bare name in lower case, without scheme, port or path"),
        CodeEntry(
            "host-bad-certificate", .error, "a certificate folder that is no folder name",
            why: "certificate names a folder under --certs.",
            fix: "name the folder, such as example.com"),
        CodeEntry(
            "host-bad-change-password", .error, "a changePassword that cannot be redirected to",
            why: "It is an https URL or a path of this host.",
            fix: "write https://… or /account/password"),
        CodeEntry(
            "host-bad-form", .error, "an unknown form",
            why: "The document is served as json, signed or auto.",
            fix: "write one of the three"),
        CodeEntry(
            "host-bad-type", .error, "a media type that is none",
            why: "types maps a path below well-known/ to a media type.",
            fix: "write it like application/json"),
        CodeEntry(
            "host-bad-value", .error, "a value that a header field cannot carry",
            why: "Control characters and line ends would break the response.",
            fix: "remove them"),
        CodeEntry(
            "host-duplicate-key", .error, "a setting that is given twice",
            why: "Which of the two counts would be an accident.",
            fix: "keep one"),
        CodeEntry(
            "host-not-an-object", .error, "host.json is not an object",
            why: "Settings are members of an object.",
            fix: "write { }, or delete the file"),
        CodeEntry(
            "host-order-unknown-team", .warning, "an order that names a team without a file",
            why: "It has no effect, and is often the name of another team with a slip.",
            fix: "take it out, or correct it"),
        CodeEntry(
            "host-team-twice", .error, "a team that stands twice in the order",
            why: "Which of the two places counts would be an accident.",
            fix: "keep one"),
        CodeEntry(
            "host-too-many-aliases", .error, "more aliases than a host can have",
            why: "The table of names is bounded.",
            fix: "divide them among several host folders"),
        CodeEntry(
            "host-unknown-key", .error, "a setting that does not exist",
            why: "A misspelt setting would be skipped in silence.",
            fix: "correct the name; aasa schema host lists them"),
        CodeEntry(
            "host-wrong-type", .error, "a setting of the wrong type",
            why: "Its value is not what the setting takes.",
            fix: "write it as the message says"),
        CodeEntry(
            "cms-not-checked", .note, "something about a signed file was not looked at",
            why: "Without the host's name or trusted roots, part of the signature cannot be "
                + "judged.",
            fix: "give --host and --cacert, or ask aasa verify"),
        CodeEntry(
            "lint-configuration", .error, "something in .aasa.json is wrong",
            why: "A configuration that is half understood would switch off too much or too "
                + "little.",
            fix: "correct it as the message says"),
    ]

    private static let lists: [CodeEntry] = [
        CodeEntry(
            "plist-binary", .error, "a damaged binary property list",
            why: "Its table of objects leads out of the file, or in circles.",
            fix: "copy or build the file again; plutil -lint FILE (macOS) checks it"),
        CodeEntry(
            "plist-combining-marks", .error, "very many combining marks in a row",
            why: "Unicode's Stream-Safe Text Format has 30 at most; comparing text with more takes "
                + "ever longer, so it is not read.",
            fix: "remove them"),
        CodeEntry(
            "plist-invalid-utf8", .error, "text that is not UTF-8",
            why: "XML without another declaration is UTF-8.",
            fix: "save the file as UTF-8"),
        CodeEntry(
            "plist-empty", .error, "a property list without content",
            why: "There are no entitlements in it.",
            fix: "give the .entitlements file itself"),
        CodeEntry(
            "plist-not-xml", .error, "not an XML property list",
            why: "This is JSON or the old text form.",
            fix: "plutil -convert xml1 FILE"),
        CodeEntry(
            "plist-signed", .error, "a signed provisioning profile",
            why: "The property list is inside the signature.",
            fix: "openssl cms -verify -noverify -inform DER -in FILE"),
        CodeEntry(
            "plist-too-large", .error, "a property list that is too large",
            why: "Entitlements have some kilobytes.",
            fix: "give the .entitlements file itself"),
        CodeEntry(
            "plist-too-deep", .error, "a property list nested too deeply",
            why: "Entitlements need three levels.",
            fix: "give the .entitlements file itself"),
        CodeEntry(
            "plist-doctype", .error, "a document type of its own",
            why: "It could define entities; only Apple's is read.",
            fix: "remove what stands in brackets in DOCTYPE"),
        CodeEntry(
            "plist-extra-content", .error, "something behind the property list",
            why: "A file holds one.",
            fix: "remove it"),
        CodeEntry(
            "plist-utf16", .error, "a property list in UTF-16 or UTF-32",
            why: "Only UTF-8 is read here.",
            fix: "plutil -convert xml1 FILE, or iconv -f UTF-16 -t UTF-8"),
        CodeEntry(
            "plist-misplaced-key", .error, "a key outside a dictionary",
            why: "Keys stand in <dict> only.",
            fix: "write <dict> around key and value"),
        CodeEntry(
            "plist-missing-key", .error, "a value without its key",
            why: "A dictionary alternates keys and values.",
            fix: "add the <key>"),
        CodeEntry(
            "plist-missing-value", .error, "a key without its value",
            why: "A dictionary alternates keys and values.",
            fix: "add the value"),
        CodeEntry(
            "plist-unknown-element", .error, "an element that property lists do not have",
            why: "Known are dict, array, string, key, true, false, integer, real, date and "
                + "data.",
            fix: "correct the name"),
        CodeEntry(
            "plist-truncated", .error, "the end of the property list is missing",
            why: "An element is open at the end of the file.",
            fix: "close it; check that the upload was complete"),
        CodeEntry(
            "plist-stray-text", .error, "text outside of an element",
            why: "Only white space may stand there.",
            fix: "put it into an element, or remove it"),
        CodeEntry(
            "plist-bad-tag", .error, "a tag that cannot be read",
            why: "XML wants <name> or </name>.",
            fix: "correct it"),
        CodeEntry(
            "plist-mismatched-tag", .error, "a tag closed by another",
            why: "Elements end in the order in which they began.",
            fix: "correct the closing tag"),
        CodeEntry(
            "plist-bad-entity", .error, "an entity that XML does not have",
            why: "Known are &amp; &lt; &gt; &quot; &apos; and numbers.",
            fix: "write &amp; for &"),
    ]

    private static let links: [CodeEntry] = [
        CodeEntry(
            "edit-refused", .error, "an edit that cannot be made",
            why: "The file does not hold what the edit asks for, or would no longer be right "
                + "after it; nothing was changed.",
            fix: "as the message says; aasa app list shows what is there"),
        CodeEntry(
            "link-test-failed", .error, "a test for links fails",
            why: "The URL opens another app than the team that wrote the test expects, or none.",
            fix: "change the rule, the order of the teams, or the test"),
        CodeEntry(
            "links-too-many", .error, "more tests for links than are run",
            why: "Each test looks at every rule: what tests and rules of one file cost together is "
                + "bounded, and a test that is not run must not count as passed.",
            fix: "split the file, or keep fewer tests per rule"),
        CodeEntry(
            "links-unreadable", .error, "a line that is no test for links",
            why: "A line that is skipped would be a test that never fails.",
            fix: "write URL,APP (or none), or {\"url\": …, \"app\": …}"),
        CodeEntry(
            "merge-fingerprint-twice", .warning, "two teams state one certificate",
            why: "A certificate signs the apps of one owner. The fingerprint of another team's app "
                + "lets that app pass for this one, and this one's links open nothing.",
            fix: "copy the fingerprint of the package from Play Console > App signing"),
        CodeEntry(
            "merge-package-twice", .error, "two teams state something about one Android package",
            why: "Android reads all statements; who owns the package would be an accident.",
            fix: "leave it to one of the two teams"),
    ]

    private static let certificates: [CodeEntry] = [
        CodeEntry(
            "expired", .error, "a certificate that has expired",
            why: "Devices refuse the connection, and the association fails.",
            fix: "renew it now; aasa serve --acme does it automatically"),
        CodeEntry(
            "not-yet-valid", .error, "a certificate that is not valid yet",
            why: "Devices refuse the connection until its first day.",
            fix: "check the clock of this machine and of the one that issued it"),
        CodeEntry(
            "ends-soon", .warning, "a certificate with less than a quarter of its life left",
            why: "Its renewal is late: renewals begin when a third of the life is left.",
            fix: "check the tool that renews it"),
        CodeEntry(
            "weak-key", .error, "a key that is too short",
            why: "Devices refuse RSA keys below 2048 bits and curves below 256.",
            fix: "issue the certificate for an ECDSA P-256 key"),
        CodeEntry(
            "wrong-purpose", .error, "a certificate that is not for servers",
            why: "Its extended key usage has no serverAuth, and devices refuse it.",
            fix: "issue it with serverAuth"),
        CodeEntry(
            "name-not-covered", .error, "a certificate that does not name the host",
            why: "Clients refuse the connection before they ask for anything.",
            fix: "get a certificate for all names of the host, aliases included"),
        CodeEntry(
            "incomplete-chain", .warning, "a chain without its intermediate certificate",
            why: "Clients do not look for it themselves; some have it by chance.",
            fix: "put fullchain.pem there, not cert.pem"),
        CodeEntry(
            "wrong-order", .warning, "a chain in the wrong order",
            why: "The host's certificate comes first, then the one that signed it, and so on.",
            fix: "write the certificates in that order"),
        CodeEntry(
            "unrelated-certificate", .warning, "a certificate that belongs to no chain here",
            why: "It is sent with every handshake and helps nobody.",
            fix: "take it out of the file"),
        CodeEntry(
            "unsupported-key", .error, "a key of a kind that clients do not take",
            why: "Phones accept RSA and ECDSA on P-256 and P-384.",
            fix: "get a certificate with an ECDSA P-256 key"),
        CodeEntry(
            "validity-too-long", .warning, "a certificate that is valid for longer than 398 days",
            why: "Apple's systems refuse such certificates of public authorities.",
            fix: "get one for at most 398 days"),
        CodeEntry(
            "must-staple", .error, "a certificate that demands a stapled OCSP answer",
            why: "Authorities end OCSP, and aasa staples none: a client that keeps to RFC 7633 "
                + "refuses the connection.",
            fix: "get the certificate again without the extension (must-staple)"),
    ]
}
