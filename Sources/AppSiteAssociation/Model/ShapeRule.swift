/// The structural errors of an association file. The raw value is the code of the diagnostic.
public enum ShapeRule: String, Sendable, Hashable, CaseIterable {
    case appIDNotString = "app-id-not-string"
    case appIDsMissing = "app-ids-missing"
    case appIDsNotArray = "app-ids-not-array"
    case appNotString = "app-not-string"
    case appsMissing = "apps-missing"
    case appsNotArray = "apps-not-array"
    case commentNotString = "comment-not-string"
    case componentNotObject = "component-not-object"
    case componentsNotArray = "components-not-array"
    case defaultsNotObject = "defaults-not-object"
    case detailNotObject = "detail-not-object"
    case detailsMissing = "details-missing"
    case detailsWrongType = "details-wrong-type"
    case duplicateKey = "duplicate-key"
    case flagNotBoolean = "flag-not-boolean"
    case pathNotString = "path-not-string"
    case pathsNotArray = "paths-not-array"
    case patternNotString = "pattern-not-string"
    case queryValueNotString = "query-value-not-string"
    case queryWrongType = "query-wrong-type"
    case rootNotObject = "root-not-object"
    case serviceNotObject = "service-not-object"
    case variableNotArray = "variable-not-array"
    case variableValueNotString = "variable-value-not-string"
    case variablesNotObject = "variables-not-object"

    /// Nearly all are errors: the system silently skips such a member, which is never intended. A
    /// service for no app does nothing, which harms no device.
    public var severity: Severity {
        switch self {
        case .appsMissing, .commentNotString, .detailsMissing: .warning
        case .appIDNotString, .appIDsMissing, .appIDsNotArray, .appNotString,
            .appsNotArray, .componentNotObject, .componentsNotArray, .defaultsNotObject,
            .detailNotObject, .detailsWrongType, .duplicateKey, .flagNotBoolean, .pathNotString,
            .pathsNotArray, .patternNotString, .queryValueNotString, .queryWrongType,
            .rootNotObject, .serviceNotObject, .variableNotArray, .variableValueNotString,
            .variablesNotObject:
            .error
        }
    }
}
