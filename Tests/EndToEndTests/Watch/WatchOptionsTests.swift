import TestSupport
import Testing

@Suite struct WatchOptionsTests {
    @Test(arguments: [
        (["check", "--admin", "127.0.0.1:0", "example.com"], "requires --watch"),
        (["check", "--watch", "0", "example.com"], "--watch: 1 to 86400"),
        (["check", "--watch", "60", "example.com", "--admin", "nowhere"], "--admin: ADDR:PORT"),
        (["check", "--watch", "60", "example.com", "--hosts-file", "/nonexistent"], "nonexistent"),
    ])
    func saysWhatCannotBegin(arguments: [String], words: String) throws {
        let result = try Tool.run(try Tool.aasa(), arguments, timeout: .seconds(30))
        #expect(result.status == 2 || result.status == 3, "\(result)")
        #expect(result.stderr.contains(words), "\(result)")
        #expect(result.stdout.isEmpty)
    }
}
