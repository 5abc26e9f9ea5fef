import AASAFleet
import OpenSSL
import Testing

@Suite struct FieldReaderTests {
    @Test(arguments: [
        "", "[]", "{}", #"{"format":1}"#, #"{"format":2,"revision":1}"#,
        #"{"format":1,"revision":"1"}"#,
    ])
    func whatIsNoRecordIsSaid(_ text: String) {
        #expect(throws: FleetError.self) {
            try RevisionRecord(decoding: Array(text.utf8), place: "x")
        }
        #expect(throws: FleetError.self) {
            try ChannelPointer(decoding: Array(text.utf8), place: "x")
        }
        #expect(throws: FleetError.self) { try FleetHead(decoding: Array(text.utf8), place: "x") }
        #expect(throws: FleetError.self) {
            try MachineRecord(decoding: Array(text.utf8), place: "x")
        }
    }
}
