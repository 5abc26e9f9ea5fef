package import AASAClient
package import AppSiteAssociation
import OpenSSL

/// Evaluates a response as a device of an era does: status, size, form, signature, and whether the
/// app is listed.
package struct AnswerEvaluator: Sendable {
    private let phone: Device.Settings
    /// `applinks`, `webcredentials`, …; nil accepts any service.
    private let service: String?
    /// The host that a signer's certificate must cover: the domain, even if the response comes from
    /// Apple's CDN.
    private let host: String

    private var era: Era { phone.era }

    package init(_ phone: Device.Settings, service: String?, host: String) {
        self.phone = phone
        self.service = service
        self.host = host
    }

    package func answer(_ exchange: ClientExchange) -> AssociationStateMachine.Answer {
        if let failure = exchange.failure {
            if case .tooLarge(let limit) = failure { return tooLarge(limit) }
            return .failed(.other(failure.description))
        }
        if let refusal = exchange.tls?.refusal(by: era) {
            return .failed(.other("the server's certificate is not trusted: \(refusal)"))
        }
        guard let head = exchange.head else {
            return .failed(.other(ClientFailure.closed(.head, missing: nil).description))
        }
        if let refusal = Self.refusal(
            status: head.status, era: era, failureReason: head.value("Apple-Failure-Reason"))
        {
            return refusal
        }
        if case .failed(_, let failure) = exchange.coding {
            if case .tooLarge(let limit) = failure { return tooLarge(limit) }
            return .failed(.unreadable(failure.description))
        }
        return content(exchange.body, type: head.value("Content-Type"))
    }

    /// More than so many bytes, which were not read to their end.
    private func tooLarge(_ limit: Int) -> AssociationStateMachine.Answer {
        (era.rules.bytesMaximum ?? .max) <= limit
            ? .failed(.other("the document has more than \(limit) bytes; devices read 131,072"))
            : .failed(.other(ClientFailure.tooLarge(limit).description))
    }

    /// The meaning of a status for a device of an era; nil for 200, whose content decides.
    ///
    /// - Parameter failureReason: the reason that Apple's CDN adds.
    package static func refusal(
        status: Int, era: Era, failureReason: String? = nil
    ) -> AssociationStateMachine.Answer? {
        if era.rules.asksDirectly {
            // Redirects: Apple documents that they are not supported; some later builds follow
            // https.
            if (300...499).contains(status) { return .denied(.refused(status: status)) }
            if (500...599).contains(status) {
                return .temporary(.other("the server failed with status \(status)"))
            }
        } else if (400...599).contains(status) {
            return .temporary(
                failureReason.map { .other("Apple's CDN says: \($0)") } ?? .refused(status: status)
            )
        }
        return status == 200 ? nil : .failed(.refused(status: status))
    }

    /// The meaning of the content of a response with 200.
    ///
    /// - Parameters:
    ///   - body: without content codings.
    ///   - type: the value of Content-Type.
    package func content(_ body: [UInt8], type: String?) -> AssociationStateMachine.Answer {
        if let maximum = era.rules.bytesMaximum, body.count > maximum {
            return .failed(
                .other("the document has \(body.count) bytes; devices read 131,072"))
        }
        if era.rules.requiresSignature {
            guard SignedDocument.looksSigned(body) else { return .denied(.unsigned) }
            guard SignedDocument.isSignedType(type) else { return .denied(.contentType(type)) }
        } else if !SignedDocument.looksSigned(body) {
            return read(body)
        }
        // JSON never looks signed. Modern systems ignore the content type.
        let document = phone.signatures(body, host, era)
        if let problem = document.problem { return .denied(.badSignature(problem)) }
        return read(document.payload)
    }

    private func read(_ json: [UInt8]) -> AssociationStateMachine.Answer {
        do {
            return listed(try AssociationFile(reading: SourceText(name: "answer", bytes: json)))
        } catch {
            return .denied(.unreadable(error.message))
        }
    }

    private func listed(_ file: AssociationFile) -> AssociationStateMachine.Answer {
        guard let service else {
            return Self.services(of: phone.app, in: file).isEmpty
                ? .denied(.nothingListed) : .associated
        }
        guard let apps = Self.apps(of: service, in: file) else {
            return .denied(
                phone.app == nil && Self.services(in: file).isEmpty
                    ? .nothingListed : .other("the document has no \"\(service)\""))
        }
        guard let app = phone.app else {
            return apps.isEmpty ? .denied(.nothingListed) : .associated
        }
        if apps.contains(app) { return .associated }
        let near = AppIdentifier.nearMiss(of: app, among: apps).map { ": \($0)" } ?? ""
        return .denied(.other("the document does not list the app for \(service)\(near)"))
    }

    /// The services for which a document lists the app, or any app without one.
    package static func services(of app: String? = nil, in file: AssociationFile) -> [String] {
        let all = AssociationFormat.services.sorted() + file.unknownServices.map(\.key)
        return all.filter { service in
            let apps = Self.apps(of: service, in: file) ?? []
            return app.map { apps.contains($0) } ?? !apps.isEmpty
        }
    }

    /// The apps that a document lists for a service; nil if it does not have the service.
    package static func apps(of service: String, in file: AssociationFile) -> [String]? {
        if service == "applinks" {
            return file.applinks.map { $0.details.flatMap { $0.appIDs.map(\.value) } }
        }
        if let known = AssociationService(rawValue: service) {
            return file.list(of: known)?.apps.map(\.value)
        }
        let member = file.unknownServices.last { $0.key == service }
        return member.map { $0.value["apps"]?.strings ?? [] }
    }
}

extension TLSFacts {
    /// Why a device of the era ends the connection; nil if it goes on.
    func refusal(by era: Era) -> String? {
        if !verification.isGood { return verification.text }
        if era.rules.requiresTLS12, version < .tls12 {
            return "App Transport Security requires TLS 1.2, and the server chose \(version)"
        }
        return era.rules.refusesDefects ? CertificateDefect.all(of: chain).first?.message : nil
    }
}

/// A document in CMS form.
package struct SignedDocument: Sendable {
    /// The JSON inside.
    package let payload: [UInt8]
    /// Why a device rejects the signature; nil if it accepts it.
    package let problem: String?

    package init(payload: [UInt8], problem: String?) {
        self.payload = payload
        self.problem = problem
    }

    /// Verifies a document for a host, as a device of the era does.
    package typealias Reader =
        @Sendable (_ bytes: [UInt8], _ host: String, _ era: Era) -> SignedDocument

    /// DER begins with a SEQUENCE; JSON never does.
    package static func looksSigned(_ bytes: [UInt8]) -> Bool { bytes.first == 0x30 }

    package static func isSignedType(_ type: String?) -> Bool {
        ResponseHead.mediaType(of: type) == "application/pkcs7-mime"
    }
}
