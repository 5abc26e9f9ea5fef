import Glibc
import TestSupport
import Testing

/// What is done to a server's process after its files broke.
enum ServerLife: String, CaseIterable, Sendable {
    case reload, upgrade, restart, kill

    /// - Returns: the process that took over; nil: it is the server's own.
    func live(
        _ server: inout ServerProcess, _ site: SampleSite, _ options: [String]
    ) throws -> pid_t? {
        switch self {
        case .reload:
            let result = try Tool.aasa(["reload"], environment: server.environment)
            expectEqual(result.status, 1, "\(result)")
            #expect(result.stdout.contains("serving the last good version since "))
        case .upgrade:
            let result = try Tool.aasa(["upgrade"], environment: server.environment)
            expectEqual(result.status, 1, "\(result)")
            #expect(result.stdout.contains("serving the last good version since "))
            expectEqual(server.wait(), 0)
            let successor = result.stdout.split(separator: " ").dropFirst().first.flatMap {
                pid_t($0)
            }
            #expect(successor != nil)
            return successor
        case .restart:
            expectEqual(server.stop(), 0)
            server = try ServerProcess(site, options: options, asNobody: true)
        case .kill:
            server.signal(SIGKILL)
            _ = server.wait()
            server = try ServerProcess(site, options: options, asNobody: true)
        }
        return nil
    }
}
