import TestSupport
import Testing

@testable import AASAServer

@Suite struct PortOwnerTests {
    private let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:20FB 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 34067 1
           1: 0100007F:20FB 0100007F:8001 01 00000000:00000000 00:00000000 00000000     0        0 34068 1
           2: 00000000:01BB 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 34069 1
        """

    @Test func listenersAreFoundByPort() {
        expectEqual(PortOwner.listeners(in: table, port: 8443), ["34067"])
        expectEqual(PortOwner.listeners(in: table, port: 443), ["34069"])
        #expect(PortOwner.listeners(in: table, port: 80).isEmpty)
        #expect(PortOwner.listeners(in: "", port: 80).isEmpty)
    }
}
