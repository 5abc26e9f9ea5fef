import AppSiteAssociation
import TestSupport
import Testing

@testable import AASAServer

@Suite struct StatusJSONTests {
    @Test func saysEverythingThePageShows() throws {
        var report = SampleReports.serving()
        report.hosts[0].facts.problem = "a \"quoted\" <script> problem"
        report.hosts[0].facts.teams.append(
            HostFacts.Team(identifier: "9JA89QQLNQ", apps: 1, bytes: 0))
        report.hosts[0].facts.fix = "quote it"
        report.certificates[0].keptSince = 1_795_219_200
        report.traffic.processorSeconds = 1.5
        var sample = LoadSample(time: 10)
        report.load.take(sample, now: 10)
        sample.time = 11
        sample.traffic = report.traffic
        sample.connections = report.connections
        report.load.take(sample, now: 11)
        let bytes = StatusJSON.render(report, Health(report))
        let document = try JSONReader.read(SourceText(name: "status.json", bytes: bytes))
        let root = document.root
        expectEqual(root["health"]?.string, "attention")
        expectEqual(root["ready"]?.bool, true)
        expectEqual(
            root["hosts"]?.array?.first?["problem"]?.string, "a \"quoted\" <script> problem")
        let teams = root["hosts"]?.array?.first?["teams"]?.array ?? []
        guard teams.count == 2, case .number("410") = teams[0]["bytes"]?.kind,
            case .null = teams[1]["bytes"]?.kind
        else {
            Issue.record("the share of a team is a number, or null if it is not known")
            return
        }
        let problem = root["problems"]?.array?.first
        #expect(problem?["level"]?.string == "attention" && problem?["fix"]?.string == "quote it")
        expectEqual(problem?["text"]?.string, root["reasons"]?.array?.first?.string)
        expectEqual(root["hosts"]?.array?.first?["fix"]?.string, "quote it")
        let certificate = root["certificates"]?.array?.first
        expectEqual(certificate?["host"]?.string, "example.com")
        guard case .number("1795219200") = certificate?["keptSince"]?.kind else {
            Issue.record("a certificate that is kept is not marked")
            return
        }
        guard case .number("0.889") = certificate?["lifeLeft"]?.kind else {
            Issue.record("lifeLeft of 80 of 90 days")
            return
        }
        let columns = try #require(root["history"]?.members)
        #expect(columns.allSatisfy { $0.value.array?.count == 1 })
        // Each column that the page's script asks for is there.
        for name in ["second", "answered", "unavailable", "gaveUp", "open", "processors"] {
            #expect(root["history"]?[name] != nil, "\(name)")
        }
    }
}
