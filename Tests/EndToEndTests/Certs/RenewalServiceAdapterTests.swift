import Foundation
import TestSupport
import Testing

@Suite struct RenewalServiceAdapterTests {
    /// Beside a running server: what it cannot order is tried again and shown, and it serves on.
    @Test func showsWhatItCannotOrder() throws {
        let site = try SampleSite()
        try site.write("new.example/teams/\(AppSite.team).json", AppSite.fragment)
        let server = try ServerProcess(
            site,
            options: [
                "--acme", "--acme-directory", "https://127.0.0.1:1/dir", "--acme-agree-terms",
            ])
        #expect(
            try eventually {
                try server.metric("aasa_acme_failures{", "host=\"new.example\"") >= 1
            }, "\(server.log)")
        #expect(try server.metric("aasa_acme_next_timestamp_seconds", "new.example") > 1e9)
        // Certificates of another program are left alone.
        try expectEqual(server.metric("aasa_acme_failures{", "host=\"example.com\""), 0)
        #expect(server.isRunning)
        expectEqual(server.stop(), 0)
    }
}
