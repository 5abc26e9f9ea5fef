import TestSupport

extension TemporaryFolder {
    /// A folder with a document, a site and a file with many findings.
    static func forShells() throws -> TemporaryFolder {
        let document =
            #"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.com.example.app"],"#
            + #""components":[{"/":"/x"}]}]}}"#
        let folder = try TemporaryFolder("streams")
        try folder.write("a.json", document)
        try folder.write("example.com/teams/D3KQX62K1A.json", document)
        try folder.write(
            "many.json",
            "[" + (0..<2_000).map { #"{"appID":"x\#($0)"}"# }.joined(separator: ",") + "]")
        return folder
    }

    /// Runs a shell in the folder.
    ///
    /// - Parameter script: where `aasa` is the binary.
    func shell(_ script: String) throws -> Tool.Result {
        try Tool.run(
            "/bin/bash", ["-c", "aasa() { \"$AASA\" \"$@\"; }; cd \(path); \(script)"],
            environment: ["AASA": try Tool.aasa()], timeout: .seconds(60))
    }
}
