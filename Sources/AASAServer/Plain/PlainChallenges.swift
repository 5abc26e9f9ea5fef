package import OpenSSL
import Reactor

/// The HTTP-01 challenges (RFC 8555 section 8.3) that are to be answered now: token → key
/// authorization. Set by whoever orders certificates, read by the plain listener.
package final class PlainChallenges: Sendable {
    private let answers = Lock<[String: String]>([:])
    /// Of validators for tokens that are not here.
    package let questions: ChallengeQuestions

    package init(questions: ChallengeQuestions = ChallengeQuestions()) {
        self.questions = questions
    }

    package func replace(_ challenges: [String: String]) { answers.withLock { $0 = challenges } }

    package func answer(to token: String) -> String? { answers.withLock { $0[token] } }
}
