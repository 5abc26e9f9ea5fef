import TestSupport

/// Sites of one host, with the fragment of one team or of three, for what edits and reads them.
enum AppSite {
    static let teams = ["D3KQX62K1A", "9JA89QQLNQ", "Q7LM2X9PRT"]
    static let team = teams[0]
    static let app = "D3KQX62K1A.com.example.shop"
    static let fragment = """
        {
            "applinks": {
                "details": [
                    { "appIDs": ["D3KQX62K1A.com.example.shop"], "components": [{ "/": "/buy/*" }] }
                ]
            },
            "webcredentials": { "apps": ["D3KQX62K1A.com.example.shop"] }
        }

        """

    static func make(_ text: String = fragment) throws -> TemporaryFolder {
        let folder = try TemporaryFolder("app")
        try folder.write("example.com/teams/\(team).json", text)
        return folder
    }

    /// A host of three teams, the last one first, each with an app and a rule of its own.
    static func ofThreeTeams() throws -> TemporaryFolder {
        let folder = try TemporaryFolder("edit")
        try folder.write("example.com/host.json", #"{"order": ["Q7LM2X9PRT"]}"#)
        for (number, team) in teams.enumerated() {
            try folder.write(
                "example.com/teams/\(team).json",
                """
                {
                  "applinks": {
                    "details": [
                      {
                        "appIDs": ["\(team).com.example.app"],
                        "components": [
                          { "/": "/team\(number)/*", "comment": "as it was" }
                        ]
                      }
                    ]
                  }
                }

                """)
        }
        return folder
    }

    static func text(_ site: TemporaryFolder, _ team: String = team) throws -> String {
        String(decoding: try site.read("example.com/teams/\(team).json"), as: UTF8.self)
    }

    /// Runs `aasa app` on the site's host, in the place of `HOST`.
    static func run(_ site: TemporaryFolder, _ arguments: String...) throws -> Tool.Result {
        try Tool.aasa(["app", arguments[0], site.path("example.com")] + arguments.dropFirst())
    }
}
