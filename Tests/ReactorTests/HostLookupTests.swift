import TestSupport
import Testing

@testable import Reactor

@Suite struct HostLookupTests {
    @Test func findsThisMachine() throws {
        let found = try HostLookup.addresses(of: "localhost", port: 443).get()
        #expect(!found.isEmpty)
        #expect(found.allSatisfy { $0.isLoopback && $0.port == 443 })
        expectEqual(Set(found.map(\.description)).count, found.count)
    }

    @Test func saysWhyThereIsNone() {
        let result = HostLookup.addresses(of: "no such name", port: 443)
        guard case .failure(let failure) = result else {
            Issue.record("a name with blanks has addresses")
            return
        }
        #expect(!failure.reason.isEmpty)
    }
}
