/// Why a request for a document is answered 503 although the document is there. Each is counted on
/// its own.
package enum ShedCause: CaseIterable, Sendable {
    /// Answers under way need longer to leave than is allowed.
    case egress
    /// Memory is short.
    case memory
    /// The operator's budget is spent.
    case budget
    /// The request has waited for too long on a connection that was already answered before.
    case age
    /// The server is stopping, and answers under way need longer to leave than the time that is
    /// left.
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
