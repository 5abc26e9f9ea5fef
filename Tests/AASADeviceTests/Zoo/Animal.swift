import AASADevice
import OpenSSL
import TestSupport
import Testing

/// One origin with one fault, or a good one.
struct Animal: Sendable, CustomTestStringConvertible {
    typealias Answer = @Sendable (FaultRequest) -> FaultAnswer

    let name: String
    /// The code it has to get; nil for a good one, which has to get no error and no warning.
    let code: String?
    var server: @Sendable (ZooCertificates) -> TLSServerSettings? = { $0.server($0.good) }
    var handshake = FaultHandshake.proper
    var answer: @Sendable (ZooCertificates) throws -> Answer
    /// A stand-in of Apple's CDN, when the fault is there.
    var cdn: Answer?
    var settings: @Sendable (inout CheckSettings) -> Void = { _ in }
    /// Whether what follows the head is sent to HEAD as well, which is a fault.
    var sendsBodyToHEAD = false
    /// Codes of errors and warnings that belong to the fault as well.
    var also: Set<String> = []

    var testDescription: String { name }

    init(
        _ name: String, _ code: String?, also: Set<String> = [],
        settings: @escaping @Sendable (inout CheckSettings) -> Void = { _ in },
        answer: @escaping Answer
    ) {
        self.name = name
        self.code = code
        self.also = also
        self.settings = settings
        self.answer = { _ in answer }
    }

    /// What it answers.
    func answers(_ certificates: ZooCertificates) throws -> Answer {
        let answer = try answer(certificates)
        if sendsBodyToHEAD { return answer }
        return { request in
            request.method == "HEAD" ? answer(request).withoutBody : answer(request)
        }
    }

    /// A good origin behind faulty TLS.
    static func tls(
        _ name: String, _ code: String?, also: Set<String> = [],
        _ server: @escaping @Sendable (ZooCertificates) -> TLSServerSettings
    ) -> Animal {
        var animal = Animal(name, code, also: also, answer: good)
        animal.server = server
        return animal
    }

    static func handshake(
        _ name: String, _ code: String, _ handshake: FaultHandshake,
        settings: @escaping @Sendable (inout CheckSettings) -> Void = { _ in }
    ) -> Animal {
        var animal = Animal(name, code, settings: settings, answer: good)
        animal.handshake = handshake
        return animal
    }

    /// A good origin with a copy at Apple's CDN.
    static func cdn(
        _ name: String, _ code: String?, also: Set<String> = [], _ answer: @escaping Answer
    ) -> Animal {
        var animal = Animal(name, code, also: also, answer: good)
        animal.cdn = answer
        return animal
    }

    /// A status for both paths and everybody.
    static func status(
        _ status: String, _ code: String, _ fields: [String] = [], body: String = "no"
    ) -> Animal {
        Animal("status \(status)", code) { _ in
            .http(status, fields, body, type: "text/plain")
        }
    }

    static func redirect(_ name: String, _ code: String, _ location: String?) -> Animal {
        Animal(name, code) { request in
            request.path.hasSuffix("/apple-app-site-association")
                ? .http(
                    "301 Moved Permanently",
                    location.map {
                        [
                            "Location: "
                                + "\($0)"
                        ]
                    } ?? [], "moved")
                : good(request)
        }
    }

    /// A body with status 200 at both paths.
    static func body(
        _ name: String, _ code: String?, _ body: String, also: Set<String> = [],
        type: String? = "application/json", _ fields: [String] = []
    ) -> Animal {
        Animal(name, code, also: also) { _ in .http("200 OK", fields, body, type: type) }
    }

    /// The good document, also behind the head that answers HEAD.
    static func bodyToHEAD(_ name: String, _ code: String) -> Animal {
        var animal = Animal(name, code) { _ in .http("200 OK", [], document) }
        animal.sendsBodyToHEAD = true
        return animal
    }

    /// A signed form, made from the good document.
    static func signed(
        _ name: String, _ code: String?, also: Set<String> = [],
        type: String? = "application/pkcs7-mime",
        _ make: @escaping @Sendable (ZooCertificates) throws -> [UInt8]
    ) -> Animal {
        var animal = Animal(name, code, also: also, answer: good)
        animal.answer = { certificates in
            let bytes = try make(certificates)
            return { _ in .send(FaultAnswer.bytes("200 OK", [], bytes, type: type)) }
        }
        return animal
    }

    static let document = """
        {"applinks":{"details":[{"appIDs":["D3KQX62K1A.com.example.app"],\
        "components":[{"/":"/buy/*"},{"/":"/help/*","exclude":true}]}]},\
        "webcredentials":{"apps":["D3KQX62K1A.com.example.app"]}}
        """

    /// What an origin should do.
    static let good: Answer = { request in
        let isDocument = request.path.hasSuffix("/apple-app-site-association")
        guard isDocument else { return .http("404 Not Found", [], "no", type: "text/plain") }
        return request.method == "HEAD"
            ? .send(
                FaultAnswer.bytes("200 OK", ["Content-Length: \(document.utf8.count)"], []))
            : .http("200 OK", [], document)
    }
}

extension FaultAnswer {
    /// The same head with nothing behind it.
    fileprivate var withoutBody: FaultAnswer {
        switch self {
        case .send(let bytes), .sendAndWait(let bytes): .send(Self.head(bytes))
        case .late(let milliseconds, let bytes):
            .late(milliseconds: milliseconds, Self.head(bytes))
        case .pieces(let pieces, _): .send(Self.head(pieces.flatMap { $0 }))
        case .endless(let head, _): .send(Self.head(head))
        case .sendAndReset, .silence: self
        }
    }

    private static func head(_ bytes: [UInt8]) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return bytes }
        return Array(text[..<end.upperBound].utf8)
    }
}

/// Lists animals statement by statement: as one array of a hundred closures they take the compiler
/// minutes.
@resultBuilder enum AnimalList {
    static func buildExpression(_ animal: Animal) -> [Animal] { [animal] }
    static func buildBlock(_ animals: [Animal]...) -> [Animal] { animals.flatMap { $0 } }
}
