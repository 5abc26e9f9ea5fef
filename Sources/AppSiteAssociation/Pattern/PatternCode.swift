/// One instruction of a compiled pattern.
struct PatternOp {
    enum Kind: UInt8 {
        /// `count` bytes at `offset` of the code's bytes.
        case literal
        /// `count` arbitrary characters.
        case anyCharacters
        /// Any sequence of characters, including the empty one.
        case anyRun
        /// One ASCII character of a class; `offset` is the raw value of a `CharacterClass`.
        case character
        case region
        case language
        /// One of the values of variable number `offset`.
        case variable
        /// Matches nothing: an undefined variable.
        case never
    }

    var kind: Kind
    var offset: UInt32 = 0
    var count: UInt32 = 0
}

/// The built-in variables for one ASCII character (*applinks.SubstitutionVariables*).
enum CharacterClass: UInt32 {
    case alpha, upper, lower, alnum, digit, xdigit

    init?(variable name: Substring.UTF8View) {
        switch String(Substring(name)) {
        case "alpha": self = .alpha
        case "upper": self = .upper
        case "lower": self = .lower
        case "alnum": self = .alnum
        case "digit": self = .digit
        case "xdigit": self = .xdigit
        default: return nil
        }
    }

    /// The class for folded text, in which every letter is lower case.
    var folded: CharacterClass {
        switch self {
        case .upper, .lower: .alpha
        case .alpha, .alnum, .digit, .xdigit: self
        }
    }

    func contains(_ byte: UInt8) -> Bool {
        let isDigit = byte &- UInt8(ascii: "0") < 10
        let isUpper = byte &- UInt8(ascii: "A") < 26
        let isLower = byte &- UInt8(ascii: "a") < 26
        return switch self {
        case .alpha: isUpper || isLower
        case .upper: isUpper
        case .lower: isLower
        case .alnum: isUpper || isLower || isDigit
        case .digit: isDigit
        case .xdigit: isDigit || (byte | 0x20) &- UInt8(ascii: "a") < 6
        }
    }
}

/// A pattern, ready for matching: a range of instructions in a `PatternCode`.
struct CompiledPattern {
    enum Shape: UInt8 {
        /// `*`: matches everything.
        case anything
        /// No wildcard: a comparison.
        case exact
        /// A literal and then `*`.
        case prefix
        /// Literals, `?`, classes and `*`: greedy, segment by segment.
        case segments
        /// With variables: sets of positions.
        case sets
        /// Holds an undefined variable.
        case never
    }

    var shape: Shape
    /// Ends with `/*`: then it also matches without the slash (`/buy/*` and `/buy`).
    var endsWithSlashRun: Bool
    var firstOp: UInt32
    var endOp: UInt32
    /// The first bytes of the leading literal, at most eight, and the mask that selects them: this
    /// one comparison rejects most rules of a long document.
    var head: UInt64
    var headMask: UInt64
}

/// The instructions and literals of all patterns of a document, in two flat arrays: compiling a
/// thousand rules needs few allocations, and matching reads memory sequentially.
struct PatternCode: Sendable {
    struct Alternative: Sendable {
        var firstOp: UInt32
        var endOp: UInt32
    }
    struct Variable: Sendable {
        var firstAlternative: UInt32
        var endAlternative: UInt32
    }

    var bytes: [UInt8] = []
    var ops: [PatternOp] = []
    var alternatives: [Alternative] = []
    var variables: [Variable] = []

    /// Provides the arrays as pointers, so that matching needs no reference counting or bounds
    /// checks.
    func withView<Result>(_ body: (PatternView) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { bytes in
            ops.withUnsafeBufferPointer { ops in
                alternatives.withUnsafeBufferPointer { alternatives in
                    variables.withUnsafeBufferPointer { variables in
                        body(
                            PatternView(
                                bytes: bytes, ops: ops, alternatives: alternatives,
                                variables: variables))
                    }
                }
            }
        }
    }
}

extension PatternOp: Sendable {}
extension CompiledPattern: Sendable {}

/// A `PatternCode` during matching. Valid only inside `withView`.
struct PatternView {
    let bytes: UnsafeBufferPointer<UInt8>
    let ops: UnsafeBufferPointer<PatternOp>
    let alternatives: UnsafeBufferPointer<PatternCode.Alternative>
    let variables: UnsafeBufferPointer<PatternCode.Variable>
}
