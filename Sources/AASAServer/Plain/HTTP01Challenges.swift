package import OpenSSL
import Reactor

/// The HTTP-01 challenges (RFC 8555 section 8.3) to answer now: token → key authorization. The part
/// that orders certificates sets them, the plain listener reads them.
package final class HTTP01Challenges: Sendable {
    private let answers = Lock<[String: String]>([:])
    /// Requests of validators for tokens that are not known here.
    package let questions: PendingValidations

    package init(questions: PendingValidations = PendingValidations()) {
        self.questions = questions
    }

    package func replace(_ challenges: [String: String]) { answers.withLock { $0 = challenges } }

    package func answer(to token: String) -> String? { answers.withLock { $0[token] } }
}
