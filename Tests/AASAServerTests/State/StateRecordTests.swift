import Testing

@testable import AASAServer

@Suite struct StateRecordTests {
    private var sample: StateRecord {
        var record = StateRecord(.host, "example.com")
        record.add("document.json", "{\"a\": 1}\n")
        record.add("empty", "")
        record.add("sibling/nodeinfo/2.0", [0, 10, 13, 255, 32])
        return record
    }

    @Test func whatIsEncodedIsDecoded() throws {
        let decoded = try StateRecord(decoding: sample.encoded())
        #expect(decoded == sample)
        #expect(decoded["sibling/nodeinfo/2.0"] == [0, 10, 13, 255, 32])
        #expect(decoded["empty"] == [])
        #expect(decoded["missing"] == nil)
    }

    /// Every way to lose bytes, and every changed byte, is noticed.
    @Test func damageIsNoticed() throws {
        let bytes = sample.encoded()
        for count in 0..<bytes.count {
            #expect(throws: StateError.self) { try StateRecord(decoding: Array(bytes[..<count])) }
        }
        let head = bytes.firstIndex(of: 10) ?? 0
        for index in (head + 1)..<bytes.count {
            var changed = bytes
            changed[index] ^= 1
            #expect(throws: StateError.damaged) { try StateRecord(decoding: changed) }
        }
    }

    @Test func foreignAndNewerFilesAreToldApart() {
        func error(_ text: String) -> StateError? {
            do throws(StateError) {
                _ = try StateRecord(decoding: Array(text.utf8))
                return nil
            } catch {
                return error
            }
        }
        #expect(error("") == .foreign)
        #expect(error("{}\n") == .foreign)
        #expect(error("aasa-state 3 host example.com 00 more\nanything") == .newer(3))
        #expect(error("aasa-state 1 host example.com 00\n") == .damaged)
        #expect(error("aasa-state 1 thing example.com 00\n") == .damaged)
        #expect(error(String(repeating: "x", count: 5000)) == .foreign)
    }

    @Test(arguments: ["example.com", "a b", "../x", ".hidden", "ü", "live/x", "100%"])
    func namesSurviveLinesAndFileNames(name: String) throws {
        let escaped = StateRecord.escaped(name)
        #expect(!escaped.contains("/") && !escaped.contains(" ") && !escaped.hasPrefix("."))
        #expect(StateRecord.unescaped(escaped) == name)
        #expect(try StateRecord(decoding: StateRecord(.certificates, name).encoded()).name == name)
    }
}
