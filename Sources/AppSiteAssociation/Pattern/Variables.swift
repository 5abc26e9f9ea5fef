/// The variables that the patterns of a document may use: its own, then the built-in ones.
final class Variables: Sendable {
    /// A name, exactly as written, and its values.
    typealias Definition = (name: String, values: [String])

    static let none = Variables([])
    /// The names that every rule may use (Apple, SubstitutionVariables).
    static let builtIn = CharacterClass.allCases.map(\.rawValue) + ["region", "lang"]

    let definitions: [Definition]
    /// By name: the position in ``definitions``, and the number in symbols.
    private let places: [ExactText: (definition: Int, number: UInt32)]
    /// By number: the symbols of each value, as written and folded. A value may contain `*` and
    /// `?`, but no other variable.
    private let values: [UInt32: (exact: [[PatternSymbol]], folded: [[PatternSymbol]])]

    /// - Parameters:
    ///   - definitions: of equal names the first counts.
    ///   - numbers: those of the variables in symbols; by default their positions. Two documents
    ///     are compared with a number for each list of values.
    init(_ definitions: [Definition], numbers: [UInt32]? = nil) {
        self.definitions = definitions
        places = Dictionary(
            definitions.enumerated().map { place, definition in
                (ExactText(definition.name), (place, numbers?[place] ?? UInt32(place)))
            }, uniquingKeysWith: { first, _ in first })
        func symbols(_ definition: Definition, folds: Bool) -> [[PatternSymbol]] {
            definition.values.map { Pattern.symbols(of: [.text($0[...])], folds: folds) }
        }
        values = Dictionary(
            places.values.map { place in
                let definition = definitions[place.definition]
                return (
                    place.number,
                    (symbols(definition, folds: false), symbols(definition, folds: true))
                )
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The variables of a document.
    convenience init(_ links: AppLinks?, numbers: [UInt32]? = nil) {
        self.init(
            (links?.substitutionVariables ?? []).map { ($0.name.value, $0.values.map(\.value)) },
            numbers: numbers)
    }

    /// The document's own definition of a name.
    func definition(of name: ExactText) -> Definition? {
        places[name].map { definitions[$0.definition] }
    }

    /// The symbols of the values of a variable.
    func values(of number: UInt32, folds: Bool) -> [[PatternSymbol]] {
        values[number].map { folds ? $0.folded : $0.exact } ?? []
    }

    /// What `$(name)` stands for; a document's own variable takes precedence over a built-in one.
    func symbol(named name: String, folds: Bool) -> PatternSymbol {
        if let place = places[ExactText(name)] { return .variable(place.number) }
        if let characters = CharacterClass(rawValue: name) {
            return .characters(folds ? characters.folded : characters)
        }
        return switch name {
        case "region": .region(folds: folds)
        case "lang": .language
        default: .undefined
        }
    }
}
