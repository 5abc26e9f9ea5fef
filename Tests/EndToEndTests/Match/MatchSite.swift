import TestSupport

/// The site that the tests of `aasa match` ask: two teams, the second one first in the order.
enum MatchSite {
    static func ofTwoTeams() throws -> TemporaryFolder {
        let folder = try TemporaryFolder("match")
        try folder.write("example.com/host.json", #"{"order": ["D3KQX62K1A"]}"#)
        try folder.write(
            "example.com/teams/9JA89QQLNQ.json",
            #"{"applinks": {"details": [{"appIDs": ["9JA89QQLNQ.b"], "components": [{"/": "*"}]}]}}"#
        )
        try folder.write(
            "example.com/teams/D3KQX62K1A.json",
            "{\"applinks\": {\"substitutionVariables\": {\"lang\": [\"de\", \"en\"]}, \"details\": [\n"
                + "  {\"appIDs\": [\"D3KQX62K1A.a\"], \"components\": [\n"
                + "    {\"/\": \"/$(lang)/x\", \"?\": {\"q\": \"?*\"}}\n  ]}]}}")
        return folder
    }
}
