extension CheckCatalog {
    /// Findings of the watcher only, as they need an earlier check.
    static let watching: [CheckEntry] = [
        CheckEntry(
            .appLost, .error, "The document no longer lists an app that it listed before",
            why:
                "Devices that install or update the app from now on do not associate it; the "
                + "others lose it at their next check, within about a week.",
            remedy:
                "Put the app back into its team's file, or take it out of the site's folder as "
                + "well (--site), which says that it is meant."),
        CheckEntry(
            .documentUnpublished, .error,
            "The host answers another document than the site's folder says",
            why:
                "Somebody changed it past the folder, a machine did not get the change, or a cache "
                + "in between keeps an old one.",
            remedy:
                "Compare: aasa build SITE/HOST, aasa check HOST, aasa diff. Then publish again, or "
                + "take the change into the folder."),
        CheckEntry(
            .documentAlternates, .warning, "The document changes again and again",
            why:
                "Several machines behind one name have different documents: which one Apple's "
                + "crawler gets is chance.",
            remedy: "Give all machines the same site; a fleet is published at once."),
        CheckEntry(
            .documentChanged, .warning, "The document changed",
            why:
                "Apple's CDN asks within 24 hours, devices about once a week, or when the app is "
                + "installed or updated.",
            remedy:
                "If nobody meant it, find out who did; --site tells the watcher what is published."
        ),
        CheckEntry(
            .certificateRenewed, .info, "The host has a new certificate",
            why: "A renewal that was seen from outside has reached the server.", remedy: ""),
        CheckEntry(
            .watchCutOff, .error, "The watcher reaches no host at all",
            why:
                "Its own network, resolver or firewall is at fault, or all hosts at once: nothing "
                + "is told about the hosts until one of them can be connected to.",
            remedy: "See to the network of the machine that watches, then to what the hosts share."),
    ]
}
