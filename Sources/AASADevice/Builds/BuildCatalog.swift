package import AppSiteAssociation

/// The texts of findings about builds: the same for every build.
package enum BuildCatalog {
    package static let families = [CodeEntry.Family("builds", all)]

    package static let all: [CodeEntry] =
        signatures + identities + profiles + domains + clips + associations + links

    private static let byCode = Dictionary(
        all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    package static func entry(_ code: String) -> CodeEntry? { byCode[code] }

    private static let ignored =
        "Devices read entitlements from the signature alone; without them the app is associated "
        + "with no site."

    private static let signatures: [CodeEntry] = [
        CodeEntry(
            "build-no-executable", .error, "An app without its executable",
            why: "The entitlements are in the executable's signature, so nothing is known of them.",
            fix: "Check CFBundleExecutable in Info.plist, and export the build again."),
        CodeEntry(
            "build-simulator", .error, "A build for the simulator",
            why: "It does not run on a device, and its signature has no entitlements.",
            fix: "Archive the app for a device (Any iOS Device) and export it."),
        CodeEntry(
            "build-unsigned", .error, "An app without a signature", why: ignored,
            fix: "Sign it: archive and export with Xcode, or codesign with --entitlements."),
        CodeEntry(
            "build-ad-hoc", .error, "An app that is signed without a certificate",
            why:
                "Devices do not grant it entitlements that need a profile, such as associated domains.",
            fix: "Sign it with a certificate of your team."),
        CodeEntry(
            "build-no-entitlements", .error, "A signature without entitlements", why: ignored,
            fix: "Sign it again with --entitlements; tools that re-sign often leave them out."),
        CodeEntry(
            "build-entitlements-unreadable", .error, "Entitlements that cannot be read",
            why: ignored,
            fix: "Sign the app again from a valid .entitlements file (plutil -lint FILE)."),
        CodeEntry(
            "build-entitlements-differ", .error,
            "The two forms of the entitlements in the signature differ",
            why: "iOS 15 and later read the DER form, older systems the property list.",
            fix: "Sign the app again with the codesign of a current Xcode, which writes both."),
        CodeEntry(
            "build-no-der", .warning, "Entitlements only as a property list",
            why: "iOS 15 and later require the DER form beside it.",
            fix: "Sign the app again with the codesign of Xcode 12.5 or later."),
        CodeEntry(
            "build-slices-differ", .error, "Architectures of one executable that are signed apart",
            why: "A device reads the entitlements of its own architecture.",
            fix: "Sign the whole executable at once, after lipo."),
    ]

    private static let identities: [CodeEntry] = [
        CodeEntry(
            "build-identifier-differs", .error,
            "The bundle identifier is not that of the application identifier",
            why:
                "The association file has to list the application identifier of the signature; an app "
                + "whose two identifiers differ is not installed.",
            fix: "Set both from PRODUCT_BUNDLE_IDENTIFIER, and sign the app again."),
        CodeEntry(
            "build-signature-identifier", .warning, "A signature with another bundle's identifier",
            why: "codesign takes it from Info.plist, so Info.plist was changed after signing.",
            fix: "Sign the app again after the last change."),
        CodeEntry(
            "build-team-differs", .error, "The entitlements name another team than the signature",
            why: "The app is not installed.",
            fix: "Sign the app with the certificate and the profile of one team."),
        CodeEntry(
            "build-team-mixed", .error, "An app that holds the app of another team",
            why: "All parts of an app have to be signed by one team.",
            fix: "Sign the part again with the team of the app."),
        CodeEntry(
            "build-nested-identifier", .error,
            "A part whose bundle identifier does not begin with that of its app",
            why: "Such an app is not installed.",
            fix: "Name the part like the app, followed by a dot and one more word."),
        CodeEntry(
            "build-companion-differs", .error, "A watch app of another app",
            why: "WKCompanionAppBundleIdentifier has to name the app that holds it.",
            fix: "Set it to the bundle identifier of the iOS app."),
    ]

    private static let profiles: [CodeEntry] = [
        CodeEntry(
            "profile-missing", .warning, "An app without a provisioning profile",
            why:
                "aasa cannot see whether a profile allows its entitlements. Builds from the App Store "
                + "have none; all others need one.",
            fix: "Export the build with its profile."),
        CodeEntry(
            "profile-unreadable", .error, "A provisioning profile that cannot be read",
            why: "Devices reject it with the app.",
            fix: "Download it again, and sign the app again."),
        CodeEntry(
            "profile-expired", .error, "A provisioning profile that has expired",
            why: "The app is not installed, and an installed one does not start.",
            fix: "Renew the profile at developer.apple.com, and sign the app again."),
        CodeEntry(
            "profile-other-app", .error, "A provisioning profile of another app",
            why: "The app is not installed.",
            fix: "Sign the app with the profile of its identifier."),
        CodeEntry(
            "profile-other-team", .error, "A provisioning profile of another team",
            why: "The app is not installed.",
            fix: "Sign the app with the certificate and the profile of one team."),
        CodeEntry(
            "profile-domains-missing", .error,
            "A provisioning profile without the Associated Domains capability",
            why: "The app claims domains that its profile does not allow, so it is not installed.",
            fix: "Turn on Associated Domains for the App ID, renew the profile, and sign again."),
        CodeEntry(
            "profile-domain-not-allowed", .error, "A domain that the profile does not allow",
            why: "The profile lists domains, and this is none of them.",
            fix: "Renew the profile: current ones allow every domain (*)."),
        CodeEntry(
            "profile-entitlement-missing", .error, "An entitlement that the profile does not have",
            why: "The app is not installed.",
            fix: "Turn on the capability for the App ID, renew the profile, and sign again."),
        CodeEntry(
            "profile-entitlement-value", .error,
            "An entitlement with a value that the profile does not allow",
            why: "The app is not installed.",
            fix: "Sign the app with a profile of its own kind, or change the value."),
    ]

    private static let domains: [CodeEntry] = [
        CodeEntry(
            "build-developer-mode", .error,
            "An entry with ?mode=developer in a build for distribution",
            why: "Devices skip such an entry unless the build is signed for development.",
            fix: "Add the entry without ?mode=developer; keep this one for development only."),
        CodeEntry(
            "build-domains-missing", .error,
            "No associated domains in the signature, although the source has them", why: ignored,
            fix: "Turn on the capability for the configuration that is exported "
                + "(CODE_SIGN_ENTITLEMENTS), and sign again with these entitlements."),
        CodeEntry(
            "build-domain-missing", .error, "A domain of the source that is not in the signature",
            why: "The app is not associated with it.",
            fix: "Build and sign again; see which .entitlements file the configuration uses."),
        CodeEntry(
            "build-domain-extra", .warning, "A domain in the signature that the source lacks",
            why: "The build was made from other entitlements.",
            fix: "Build and sign again; see which .entitlements file the configuration uses."),
    ]

    private static let clips: [CodeEntry] = [
        CodeEntry(
            "clip-parent-missing", .error, "An App Clip that names no app",
            why: "An App Clip names its app in com.apple.developer.parent-application-identifiers.",
            fix: "Add the entitlement with the application identifier of the app."),
        CodeEntry(
            "clip-parent-other", .error, "An App Clip that names another app",
            why: "Its parent has to be the app that holds it.",
            fix: "Write $(AppIdentifierPrefix) and the bundle identifier of the app."),
        CodeEntry(
            "clip-not-named", .error, "An app that does not name its App Clip",
            why: "The app names it in com.apple.developer.associated-appclip-app-identifiers.",
            fix: "Add the App Clip's identifier; Xcode does so for a target that embeds it."),
        CodeEntry(
            "clip-not-on-demand", .error, "An App Clip that cannot be opened on demand",
            why: "com.apple.developer.on-demand-install-capable is what makes an app an App Clip.",
            fix: "Add the entitlement with the value true."),
        CodeEntry(
            "clip-domain-missing", .warning, "A domain that only one of app and App Clip has",
            why:
                "Apple asks for the appclips: entry in both: the app takes over once it is installed.",
            fix: "Add the entry to the other one."),
    ]

    private static let notListed =
        "A device compares the application identifier of the signature, letter by letter, with "
        + "those in the site's document."

    private static let associations: [CodeEntry] = [
        CodeEntry(
            "build-no-domains", .error, "A build without associated domains", why: ignored,
            fix: "Add the Associated Domains capability in Xcode, and sign again."),
        CodeEntry(
            "association-skipped", .note, "An entry that a phone does not ask for",
            why: "The entry's conditions are not met on this phone, or by this build.",
            fix: "If the entry matters to customers, add it without a mode."),
        CodeEntry(
            "association-cdn-ahead", .warning, "Apple's CDN lists the app, and the site does not",
            why: "Phones are associated until Apple's CDN asks the site again, within about a day.",
            fix: "Publish a document that lists the app."),
        CodeEntry(
            "association-cdn-behind", .error, "The site lists the app, and Apple's CDN does not",
            why: "Phones get the CDN's copy. It asks the site again within about a day.",
            fix: "Wait; if it lasts, aasa check HOST says what keeps the CDN out."),
        CodeEntry(
            "association-denied", .error, "The site does not associate the app", why: notListed,
            fix: "Publish a document that lists the app; aasa check HOST says what is wrong."),
        CodeEntry(
            "association-unusable", .error, "No usable answer from the site",
            why:
                "The app is not associated until there is one; the phone asks again after some hours.",
            fix: "aasa check HOST says what is wrong."),
        CodeEntry(
            "association-other-prefix", .error, "The document lists the app with another prefix",
            why: notListed,
            fix: "Write the prefix of the build: that of the App ID, which may not be the team."),
        CodeEntry(
            "association-other-case", .error,
            "The document lists the app in other letters", why: notListed,
            fix: "Write the application identifier of the build, in its case."),
        CodeEntry(
            "association-other-service", .error,
            "The document lists the app for another service", why: notListed,
            fix: "Add the app to the service that the entry names."),
    ]

    private static let browser = "The URL opens in the browser."

    private static let links: [CodeEntry] = [
        CodeEntry(
            "link-no-entry", .error, "A URL of a host that the build does not list", why: browser,
            fix: "Add applinks:HOST to the app's entitlements, and sign again."),
        CodeEntry(
            "link-near-entry", .error, "A URL of a host that is nearly listed",
            why: "example.com, www.example.com and *.example.com are three entries.",
            fix: "Add applinks:HOST to the app's entitlements, and sign again."),
        CodeEntry(
            "link-not-associated", .error, "A URL of a host that is not associated", why: browser,
            fix: "Fix the association of the host first."),
        CodeEntry(
            "link-excluded", .error, "A URL that a rule excludes", why: browser,
            fix: "Change the rule or its place; aasa match --explain shows all that were tried."),
        CodeEntry(
            "link-no-rule", .error, "A URL that no rule matches", why: browser,
            fix: "Add a component to the app's entry; aasa match --explain shows the nearest."),
        CodeEntry(
            "link-other-app", .error, "A URL that another app opens first",
            why: "On a phone with both apps the first in the document opens the URL.",
            fix: "Change the order of the entries, or narrow the other app's rules."),
        CodeEntry(
            "link-port", .error, "A URL with a port", why: "Universal links have no port.",
            fix: "Use the standard port."),
        CodeEntry(
            "link-scheme", .error, "A URL of another scheme",
            why: "Universal links use https or http.", fix: "Use https."),
    ]
}
