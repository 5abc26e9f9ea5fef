import AASAClient
import AASADevice
import AppSiteAssociation
import HTTP

/// Answers in their order, the last one again and again.
final class StoryNetwork {
    var requests: [ClientRequest] = []
    var answers: [ClientExchange]

    init(_ answers: [ClientExchange]) { self.answers = answers }

    func ask(_ request: ClientRequest) -> ClientExchange {
        requests.append(request)
        return answers.count > 1 ? answers.removeFirst() : answers[0]
    }
}

/// Stories on the virtual clock, with a network that is a list of answers.
protocol DeviceSuite {}

extension DeviceSuite {
    typealias Network = StoryNetwork

    static var app: String { "ABCDE12345.com.example.app" }
    static var document: String {
        """

        {"applinks": {"details": [{"appIDs": ["\(app)"], "components": [{"/": "/*"}]}]},
         "webcredentials": {"apps": ["\(app)"]}}
        """
    }

    static func answer(
        _ status: Int, _ body: String = "", _ fields: [(String, String)] = []
    ) -> ClientExchange {
        var exchange = ClientExchange(request: ClientRequest(host: "example.com", target: "/"))
        exchange.head = ResponseHead(
            lines: ["HTTP/1.1 \(status)"], status: status, reason: "",
            fields: fields.map { HTTPField(name: $0.0, value: $0.1) })
        exchange.body = Array(body.utf8)
        return exchange
    }

    /// A phone for which no document is signed well.
    static func settings(_ app: String, _ era: Era) -> Device.Settings {
        Device.Settings(
            app: app, era: era,
            signatures: { _, _, _ in SignedDocument(payload: [], problem: "not signed") })
    }

    static func play(
        _ era: Era, _ entries: [String], _ answers: [ClientExchange]
    ) -> ([Transcript], Network) {
        let network = Network(answers)
        var device = Device(
            settings(app, era), chance: { 0 }, ask: { network.ask($0) })
        return (device.install(entries.map { EntitlementEntry($0) }), network)
    }
}
