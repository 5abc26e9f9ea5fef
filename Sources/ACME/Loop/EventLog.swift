import Logging
import OpenSSL

/// Logs the engine's events.
struct EventLog {
    let log: Logger

    func tell(_ event: RenewalEvent) {
        switch event {
        case .begins(let id, let why, let authority, let isResumed):
            log.notice(
                "\(isResumed ? "resuming the order of" : "ordering") a certificate for \(id): \(why)",
                metadata: ["authority": "\(authority)"])
        case .leavesOut(let id, let names):
            log.error(
                "ordering the certificate of \(id) without \(names.joined(separator: ", ")): only these names failed"
            )
        case .issued(let id, let until, let renewal):
            log.notice(
                "renewed the certificate of \(id): it is valid until \(DateText.moment(until))",
                metadata: ["next": "\(DateText.moment(renewal))"])
        case .failed(let id, let advice, let retry, let failures):
            let text = "no certificate for \(id): \(advice.message). \(advice.remedy)"
            // One failure is normal on a network.
            log.log(
                level: failures > 1 ? .error : .warning, "\(text)",
                metadata: ["tries": "\(failures)", "again": "\(DateText.moment(retry))"])
        case .window(let id, let window, let hasMoved):
            log.info(
                "the authority asks to renew \(id) between \(DateText.moment(window.start)) and \(DateText.moment(window.end))",
                metadata: window.explanation.map { ["why": "\($0)"] } ?? [:])
            if hasMoved { log.notice("the authority moved the renewal window of \(id)") }
        case .cannotSave(let why): log.error("\(why)")
        }
    }
}
