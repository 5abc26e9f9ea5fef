import AppSiteAssociation

extension LoadReport {
    /// The report with all that `aasa lint` finds in the hosts' folders, also what keeps nothing
    /// from being served.
    ///
    /// - Parameter now: seconds since 1970.
    package func reviewed(_ site: SiteSource, now: Int64) -> LoadReport {
        var report = self
        var byHost = Dictionary(findings.map { ($0.host, $0.findings) }, uniquingKeysWith: +)
        for host in site.hosts {
            var known = Set(byHost[host.name, default: []].map(Self.place))
            let review = HostReview(host, options: LintOptions(now: Int(now)))
            byHost[host.name, default: []] += review.findings.filter {
                known.insert(Self.place(of: $0)).inserted
            }
        }
        report.findings = byHost.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
            .map { ($0, $1) }
        return report
    }

    /// A load knows more than a review about what both report, such as the size of a signature.
    private static func place(of finding: Diagnostic) -> [String] {
        [finding.code, finding.file, finding.range.map { "\($0)" } ?? ""]
    }
}
