/// One symbol of a ``Pattern``. The characters of a URL are symbols, too: literals.
enum PatternSymbol: Hashable, Sendable {
    /// A character that stands for itself.
    case literal(Unicode.Scalar)
    /// `?`: any one character.
    case one
    /// `*`: any characters, or none.
    case run
    /// `/*` at the end of a path: nothing, or a slash and anything. `/buy/*` also matches `/buy`
    /// (TN3155 and swcutil).
    case below
    /// A built-in variable for one ASCII character.
    case characters(CharacterClass)
    /// `$(region)`; in folded text its codes are lower case.
    case region(folds: Bool)
    /// `$(lang)`.
    case language
    /// A variable of the document, by its number in ``Variables``.
    case variable(UInt32)
    /// A variable that is not defined: it matches nothing.
    case undefined
}

extension PatternSymbol {
    /// Whether it depends on a variable, built in or defined by the document.
    var isVariable: Bool {
        switch self {
        case .characters, .region, .language, .variable, .undefined: true
        case .literal, .one, .run, .below: false
        }
    }

    /// The same in folded text.
    var folded: [PatternSymbol] {
        switch self {
        case .literal(let scalar): Self.folded(scalar)
        case .characters(let characters): [.characters(characters.folded)]
        case .region: [.region(folds: true)]
        case .one, .run, .below, .language, .variable, .undefined: [self]
        }
    }

    /// The symbols of a text.
    static func literals(of text: String, folds: Bool) -> [PatternSymbol] {
        folds
            ? text.unicodeScalars.flatMap { folded($0) }
            : text.unicodeScalars.map { .literal($0) }
    }

    /// A character, or for `caseSensitive: false` its lower case: scalar by scalar, in pattern and
    /// URL alike. Apple does not document its treatment of letters beyond ASCII.
    static func folded(_ scalar: Unicode.Scalar) -> [PatternSymbol] {
        if scalar.isASCII {
            return [.literal(Unicode.Scalar(UInt8(scalar.value).asciiLowercased))]
        }
        return scalar.properties.lowercaseMapping.unicodeScalars.map { .literal($0) }
    }
}

/// The built-in variables for one ASCII character (*applinks.SubstitutionVariables*).
enum CharacterClass: String, CaseIterable, Sendable {
    case alpha, upper, lower, alnum, digit, xdigit

    /// The class for folded text, in which every letter is lower case.
    var folded: CharacterClass {
        switch self {
        case .upper, .lower: .alpha
        case .alpha, .alnum, .digit, .xdigit: self
        }
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return false }
        let byte = UInt8(scalar.value)
        return switch self {
        case .alpha: byte.isASCIILetter
        case .upper: byte.isASCIIUppercase
        case .lower: byte.isASCIILetter && !byte.isASCIIUppercase
        case .alnum: byte.isASCIILetter || byte.isASCIIDigit
        case .digit: byte.isASCIIDigit
        case .xdigit: byte.isASCIIHexDigit
        }
    }
}
