@testable import AASAServer

/// Reports for the tests of the admin side.
enum SampleReports {
    static let now: Int64 = 1_800_000_000
    static let day: Int64 = 86_400

    static func certificate(
        begins: Int64 = now - 10 * day, ends: Int64 = now + 80 * day, problems: [String] = []
    ) -> ServedCertificate {
        ServedCertificate(
            folder: "example.com", file: "certs/example.com/fullchain.pem",
            names: ["example.com", "*.example.com"], keyType: "ECDSA P-256", issuer: "Test CA",
            notBefore: begins, notAfter: ends, problems: problems)
    }

    static func serving() -> StatusReport {
        var report = StatusReport(version: "1.0.0", now: now, started: now - 3600)
        report.phase = .serving
        report.generation = 3
        let teams = [HostFacts.Team(identifier: "D3KQX62K1A", apps: 2, bytes: 410)]
        report.hosts = [
            StatusReport.Host(
                name: "example.com",
                facts: HostFacts(teams: teams, apps: 2, documentBytes: 812))
        ]
        report.certificates = [certificate()]
        report.connections.limit = 10_000
        return report
    }
}
