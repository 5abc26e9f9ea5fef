/// Why a request for a document is answered 503 although the document is there. Each is counted on
/// its own.
package enum ShedCause: CaseIterable, Sendable {
    /// Answers under way need longer than the bound to leave.
    case egress
    /// Memory is short.
    case memory
    /// The operator's budget is spent.
    case budget
    /// The request has waited for too long on a connection whose handshake is long paid for.
    case age
    /// The server is stopping, and answers under way need longer than it has to leave.
    case draining

    package var counter: Counter {
        switch self {
        case .egress: .shedEgress
        case .memory: .shedMemory
        case .budget: .shedBudget
        case .age: .shedAge
        case .draining: .shedDraining
        }
    }
}
