import AppSiteAssociation

/// The texts of findings about builds: the same for every build.
package enum BuildCatalog {
    package static let all: [CheckEntry] =
        signatures + identities + profiles + domains + clips + associations + links

    private static let byCode = Dictionary(
        all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    package static func entry(_ code: String) -> CheckEntry? { byCode[code] }

    private static let ignored =
        "Devices read entitlements from the signature alone; without them the app is associated "
        + "with no site."

    private static let signatures: [CheckEntry] = [
        CheckEntry(
            "build-no-executable", .error, "An app without its executable",
            "The entitlements are in the executable's signature, so nothing is known of them.",
            "Check CFBundleExecutable in Info.plist, and export the build again."),
        CheckEntry(
            "build-simulator", .error, "A build for the simulator",
            "It does not run on a device, and its signature has no entitlements.",
            "Archive the app for a device (Any iOS Device) and export it."),
        CheckEntry(
            "build-unsigned", .error, "An app without a signature", ignored,
            "Sign it: archive and export with Xcode, or codesign with --entitlements."),
        CheckEntry(
            "build-ad-hoc", .error, "An app that is signed without a certificate",
            "Devices do not grant it entitlements that need a profile, such as associated domains.",
            "Sign it with a certificate of your team."),
        CheckEntry(
            "build-no-entitlements", .error, "A signature without entitlements", ignored,
            "Sign it again with --entitlements; tools that re-sign often leave them out."),
        CheckEntry(
            "build-entitlements-unreadable", .error, "Entitlements that cannot be read", ignored,
            "Sign the app again from a valid .entitlements file (plutil -lint FILE)."),
        CheckEntry(
            "build-entitlements-differ", .error,
            "The two forms of the entitlements in the signature differ",
            "iOS 15 and later read the DER form, older systems the property list.",
            "Sign the app again with the codesign of a current Xcode, which writes both."),
        CheckEntry(
            "build-no-der", .warning, "Entitlements only as a property list",
            "iOS 15 and later require the DER form beside it.",
            "Sign the app again with the codesign of Xcode 12.5 or later."),
        CheckEntry(
            "build-slices-differ", .error, "Architectures of one executable that are signed apart",
            "A device reads the entitlements of its own architecture.",
            "Sign the whole executable at once, after lipo."),
    ]

    private static let identities: [CheckEntry] = [
        CheckEntry(
            "build-identifier-differs", .error,
            "The bundle identifier is not that of the application identifier",
            "The association file has to list the application identifier of the signature; an app "
                + "whose two identifiers differ is not installed.",
            "Set both from PRODUCT_BUNDLE_IDENTIFIER, and sign the app again."),
        CheckEntry(
            "build-signature-identifier", .warning, "A signature with another bundle's identifier",
            "codesign takes it from Info.plist, so Info.plist was changed after signing.",
            "Sign the app again after the last change."),
        CheckEntry(
            "build-team-differs", .error, "The entitlements name another team than the signature",
            "The app is not installed.",
            "Sign the app with the certificate and the profile of one team."),
        CheckEntry(
            "build-team-mixed", .error, "An app that holds the app of another team",
            "All parts of an app have to be signed by one team.",
            "Sign the part again with the team of the app."),
        CheckEntry(
            "build-nested-identifier", .error,
            "A part whose bundle identifier does not begin with that of its app",
            "Such an app is not installed.",
            "Name the part like the app, followed by a dot and one more word."),
        CheckEntry(
            "build-companion-differs", .error, "A watch app of another app",
            "WKCompanionAppBundleIdentifier has to name the app that holds it.",
            "Set it to the bundle identifier of the iOS app."),
    ]

    private static let profiles: [CheckEntry] = [
        CheckEntry(
            "profile-missing", .warning, "An app without a provisioning profile",
            "aasa cannot see whether a profile allows its entitlements. Builds from the App Store "
                + "have none; all others need one.",
            "Export the build with its profile."),
        CheckEntry(
            "profile-unreadable", .error, "A provisioning profile that cannot be read",
            "Devices reject it with the app.",
            "Download it again, and sign the app again."),
        CheckEntry(
            "profile-expired", .error, "A provisioning profile that has expired",
            "The app is not installed, and an installed one does not start.",
            "Renew the profile at developer.apple.com, and sign the app again."),
        CheckEntry(
            "profile-other-app", .error, "A provisioning profile of another app",
            "The app is not installed.",
            "Sign the app with the profile of its identifier."),
        CheckEntry(
            "profile-other-team", .error, "A provisioning profile of another team",
            "The app is not installed.",
            "Sign the app with the certificate and the profile of one team."),
        CheckEntry(
            "profile-domains-missing", .error,
            "A provisioning profile without the Associated Domains capability",
            "The app claims domains that its profile does not allow, so it is not installed.",
            "Turn on Associated Domains for the App ID, renew the profile, and sign again."),
        CheckEntry(
            "profile-domain-not-allowed", .error, "A domain that the profile does not allow",
            "The profile lists domains, and this is none of them.",
            "Renew the profile: current ones allow every domain (*)."),
        CheckEntry(
            "profile-entitlement-missing", .error, "An entitlement that the profile does not have",
            "The app is not installed.",
            "Turn on the capability for the App ID, renew the profile, and sign again."),
        CheckEntry(
            "profile-entitlement-value", .error,
            "An entitlement with a value that the profile does not allow",
            "The app is not installed.",
            "Sign the app with a profile of its own kind, or change the value."),
    ]

    private static let domains: [CheckEntry] = [
        CheckEntry(
            "build-developer-mode", .error,
            "An entry with ?mode=developer in a build for distribution",
            "Devices skip such an entry unless the build is signed for development.",
            "Add the entry without ?mode=developer; keep this one for development only."),
        CheckEntry(
            "build-domains-missing", .error,
            "No associated domains in the signature, although the source has them", ignored,
            "Turn on the capability for the configuration that is exported "
                + "(CODE_SIGN_ENTITLEMENTS), and sign again with these entitlements."),
        CheckEntry(
            "build-domain-missing", .error, "A domain of the source that is not in the signature",
            "The app is not associated with it.",
            "Build and sign again; see which .entitlements file the configuration uses."),
        CheckEntry(
            "build-domain-extra", .warning, "A domain in the signature that the source lacks",
            "The build was made from other entitlements.",
            "Build and sign again; see which .entitlements file the configuration uses."),
    ]

    private static let clips: [CheckEntry] = [
        CheckEntry(
            "clip-parent-missing", .error, "An App Clip that names no app",
            "An App Clip names its app in com.apple.developer.parent-application-identifiers.",
            "Add the entitlement with the application identifier of the app."),
        CheckEntry(
            "clip-parent-other", .error, "An App Clip that names another app",
            "Its parent has to be the app that holds it.",
            "Write $(AppIdentifierPrefix) and the bundle identifier of the app."),
        CheckEntry(
            "clip-not-named", .error, "An app that does not name its App Clip",
            "The app names it in com.apple.developer.associated-appclip-app-identifiers.",
            "Add the App Clip's identifier; Xcode does so for a target that embeds it."),
        CheckEntry(
            "clip-not-on-demand", .error, "An App Clip that cannot be opened on demand",
            "com.apple.developer.on-demand-install-capable is what makes an app an App Clip.",
            "Add the entitlement with the value true."),
        CheckEntry(
            "clip-domain-missing", .warning, "A domain that only one of app and App Clip has",
            "Apple asks for the appclips: entry in both: the app takes over once it is installed.",
            "Add the entry to the other one."),
    ]

    private static let notListed =
        "A device compares the application identifier of the signature, letter by letter, with "
        + "those in the site's document."

    private static let associations: [CheckEntry] = [
        CheckEntry(
            "build-no-domains", .error, "A build without associated domains", ignored,
            "Add the Associated Domains capability in Xcode, and sign again."),
        CheckEntry(
            "association-skipped", .note, "An entry that a phone does not ask for",
            "The entry's conditions are not met on this phone, or by this build.",
            "If the entry matters to customers, add it without a mode."),
        CheckEntry(
            "association-cdn-ahead", .warning, "Apple's CDN lists the app, and the site does not",
            "Phones are associated until Apple's CDN asks the site again, within about a day.",
            "Publish a document that lists the app."),
        CheckEntry(
            "association-cdn-behind", .error, "The site lists the app, and Apple's CDN does not",
            "Phones get the CDN's copy. It asks the site again within about a day.",
            "Wait; if it lasts, aasa check HOST says what keeps the CDN out."),
        CheckEntry(
            "association-denied", .error, "The site does not associate the app", notListed,
            "Publish a document that lists the app; aasa check HOST says what is wrong."),
        CheckEntry(
            "association-unusable", .error, "No usable answer from the site",
            "The app is not associated until there is one; the phone asks again after some hours.",
            "aasa check HOST says what is wrong."),
        CheckEntry(
            "association-other-prefix", .error, "The document lists the app with another prefix",
            notListed,
            "Write the prefix of the build: that of the App ID, which may not be the team."),
        CheckEntry(
            "association-other-case", .error,
            "The document lists the app in other letters", notListed,
            "Write the application identifier of the build, in its case."),
        CheckEntry(
            "association-other-service", .error,
            "The document lists the app for another service", notListed,
            "Add the app to the service that the entry names."),
    ]

    private static let browser = "The URL opens in the browser."

    private static let links: [CheckEntry] = [
        CheckEntry(
            "link-no-entry", .error, "A URL of a host that the build does not list", browser,
            "Add applinks:HOST to the app's entitlements, and sign again."),
        CheckEntry(
            "link-near-entry", .error, "A URL of a host that is nearly listed",
            "example.com, www.example.com and *.example.com are three entries.",
            "Add applinks:HOST to the app's entitlements, and sign again."),
        CheckEntry(
            "link-not-associated", .error, "A URL of a host that is not associated", browser,
            "Fix the association of the host first."),
        CheckEntry(
            "link-excluded", .error, "A URL that a rule excludes", browser,
            "Change the rule or its place; aasa match --explain shows all that were tried."),
        CheckEntry(
            "link-no-rule", .error, "A URL that no rule matches", browser,
            "Add a component to the app's entry; aasa match --explain shows the nearest."),
        CheckEntry(
            "link-other-app", .error, "A URL that another app opens first",
            "On a phone with both apps the first in the document opens the URL.",
            "Change the order of the entries, or narrow the other app's rules."),
        CheckEntry(
            "link-port", .error, "A URL with a port", "Universal links have no port.",
            "Use the standard port."),
        CheckEntry(
            "link-scheme", .error, "A URL of another scheme",
            "Universal links use https or http.", "Use https."),
    ]
}
