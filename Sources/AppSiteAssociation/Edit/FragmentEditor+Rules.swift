/// One rule of an app in a document.
@dynamicMemberLookup
struct AppRule {
    /// Its number among all rules of the app in evaluation order, from 1.
    let number: Int
    /// Position within `components` or `paths` as written, from 0.
    let index: Int
    let rule: Rule

    subscript<Value>(dynamicMember member: KeyPath<Rule, Value>) -> Value { rule[keyPath: member] }
}

/// An entry of universal links with its rules, for lists of all apps: an app's rules are those of
/// the entries that name it.
package struct RuleEntry: Sendable {
    /// The bytes of the entry.
    package let range: Range<Int>
    /// The apps that open by its rules, each once.
    package let apps: [String]
    /// What is tried for them, in order.
    package let rules: [Rule]
}

extension AssociationFile {
    /// The entries of universal links that name an app, in their order.
    package var ruleEntries: [RuleEntry] {
        LinkEntry.all(of: applinks).map {
            RuleEntry(
                range: $0.range, apps: $0.apps.map(\.value).unique(by: \.self), rules: $0.rules)
        }
    }
}

extension FragmentEditor {
    /// How to edit an entry of `details` that other apps share.
    public enum SharedEntry: Sendable, Hashable {
        /// Reject the edit: it would change what the other apps open.
        case refuse
        /// Change it for all of them.
        case changeAll
        /// First give the app its own entry with the same rules, at its place among the others.
        case separate
    }

    /// The rules of an app in evaluation order.
    func rules(of app: String) -> [AppRule] {
        guard let links = AssociationFile(document: document).applinks else { return [] }
        var rules: [AppRule] = []
        for (detail, entry) in zip(links.details, LinkEntry.all(of: links))
        where detail.names(app) {
            // What is no string is no rule, but has its place among the others.
            let places = (detail.pathsMember?.value.array ?? []).enumerated()
                .filter { $0.element.string != nil }.map(\.offset)
            for (offset, rule) in entry.rules.enumerated() {
                let place = places.indices.contains(offset) ? places[offset] : offset
                rules.append(
                    AppRule(
                        number: rules.count + 1,
                        index: detail.components?[offset].index ?? place, rule: rule))
            }
        }
        return rules
    }

    /// What a rule has to say for the built-in value of a member to hold: nil, nothing, unless
    /// defaults of the document may say otherwise.
    public func builtInValue(of key: RuleDraft.Key) -> JSONValue? {
        key.hasDefault(in: document.root) ? Self.builtIn[key.rawValue] : nil
    }

    /// The rule as one that opens unless it says `exclude` itself, whatever defaults of the
    /// document say.
    public func opening(_ draft: RuleDraft) -> RuleDraft {
        var draft = draft
        if draft[.exclude] == nil { draft[.exclude] = builtInValue(of: .exclude) }
        return draft
    }

    // MARK: Adding

    /// Adds universal links for an app by path patterns, with `NOT ` before exclusions.
    /// - Throws: ``EditError`` as ``addRules(app:_:at:shared:)``.
    public mutating func addLinks(app: String, patterns: [String]) throws(EditError) {
        try addRules(app: app, patterns.map { opening(RuleDraft(path: $0)) })
    }

    /// Adds universal links for an app: to its existing entry, or in a new entry after the others.
    ///
    /// In an existing entry a new rule is inserted where it takes effect: before the rule that
    /// would otherwise decide its URLs, exclusions before the rules that open, others at the end.
    /// - Parameters:
    ///   - app: its application identifier.
    ///   - drafts: the new rules; the first matching rule decides.
    ///   - number: insert before the app's rule with this number (from 1) instead.
    ///   - shared: what to do if the app shares its entry with others.
    /// - Throws: ``EditError`` if a rule exists or is superfluous, or the entry is shared.
    public mutating func addRules(
        app: String, _ drafts: [RuleDraft], at number: Int? = nil, shared: SharedEntry = .refuse
    ) throws(EditError) {
        try requireObject("applinks")
        guard services(of: app).contains(.applinks) else { return try addEntry(app, drafts) }
        var copy = self
        for (offset, draft) in drafts.enumerated() {
            try copy.addRule(app, draft, at: number.map { $0 + offset }, shared)
        }
        self = copy
    }

    private mutating func addEntry(_ app: String, _ drafts: [RuleDraft]) throws(EditError) {
        let entry: JSONValue = [
            "appIDs": [.text(app)], "components": .list(drafts.map(\.value)),
        ]
        switch editor.value(at: Self.details)?.kind {
        case nil, .array: try add([entry], at: Self.details)
        case .object:
            let paths = try pathTexts(drafts)
            try editor.set(
                ["paths": .list(paths.map { .text($0) })], at: Self.details + [.key(app)])
        case .null, .bool, .number, .string:
            throw EditError(
                "\"details\" is neither an array nor an object",
                at: editor.value(at: Self.details)?.range, document)
        }
    }

    private func pathTexts(_ drafts: [RuleDraft]) throws(EditError) -> [String] {
        var texts: [String] = []
        for draft in drafts {
            guard let text = draft.pathText else {
                throw EditError(
                    "\(draft) cannot stand among \"paths\", which compare only the path",
                    remedy: "Write the entry with \"components\" (iOS 13 and later).",
                    at: editor.value(at: Self.details)?.range, document)
            }
            texts.append(text)
        }
        return texts
    }

    private mutating func addRule(
        _ app: String, _ draft: RuleDraft, at number: Int?, _ shared: SharedEntry
    ) throws(EditError) {
        let place = try place(of: draft, for: app, at: number)
        let detail = try own(place.detail, app, shared)
        let path = entryPath(detail)
        let index = place.index
        let entry = editor.value(at: path)
        if entry?["components"]?.array != nil {
            try editor.insert([draft.value], at: index, intoArrayAt: path + [.key("components")])
        } else {
            let text = try pathTexts([draft])[0]
            try editor.insert([.text(text)], at: index, intoArrayAt: path + [.key("paths")])
        }
    }

    /// The path of an entry, in either form of `details`.
    private func entryPath(_ detail: Int) -> [JSONTextEditor.Step] {
        let details = editor.value(at: Self.details)
        if let members = details?.members, members.indices.contains(detail) {
            return Self.details + [.key(members[detail].key)]
        }
        return Self.details + [.index(detail)]
    }

    /// The entry to edit: unchanged if only this app uses it. An entry of its own keeps the place
    /// of the app among the others.
    private mutating func own(
        _ index: Int, _ app: String, _ shared: SharedEntry
    ) throws(EditError) -> Int {
        let links = AssociationFile(document: document).applinks
        guard let detail = links?.details.first(where: { $0.index == index }) else { return index }
        let others = detail.appIDs.filter { $0.value != app }
        if others.isEmpty || shared == .changeAll { return index }
        if shared == .refuse {
            throw EditError(
                "\(app) shares these rules with \(listed(others.map(\.value), atMost: 3))",
                remedy: "--shared changes them for all, --own gives this app an entry of its own",
                at: detail.range, document)
        }
        let path = entryPath(index)
        guard let details = editor.value(at: Self.details), let entry = editor.value(at: path),
            let list = detail.appIDsMember?.value
        else { return index }
        let elements = list.array ?? []
        let place = elements.firstIndex { $0.string == app } ?? elements.count
        let isFirst = !elements[..<place].contains { $0.string != nil }
        let behind = elements[place...].filter { $0.string != app }
        // The order of the entries is that of the apps, so the others stay before and behind it.
        let isBetween = !isFirst && behind.contains { $0.string != nil }
        var entries = [Self.copy(of: entry, for: [.text(app)])]
        if isBetween { entries.append(Self.copy(of: entry, for: behind)) }
        let gone = elements.indices.filter {
            elements[$0].string == app || isBetween && $0 > place
        }
        let own = isFirst ? index : index + 1
        var edits = JSONTextEditor.removals(of: Set(gone), from: list) ?? []
        edits.append(JSONLayout(document).insertion(of: entries, at: own, into: details))
        try editor.apply(edits)
        return own
    }

    /// The rules of an entry for other apps.
    private static func copy(of entry: JSONValue, for apps: [JSONValue]) -> JSONValue {
        JSONValue(
            .object(
                (entry.members ?? []).compactMap { member in
                    switch member.key {
                    case "appID": nil
                    case "appIDs": JSONMember(key: "appIDs", value: .list(apps))
                    default: member
                    }
                }))
    }

    // MARK: Changing

    /// Changes one rule of an app: `change` modifies the current rule.
    /// - Throws: ``EditError`` if the rule does not exist, is not changed, or is shared.
    public mutating func changeRule(
        app: String, number: Int, shared: SharedEntry = .refuse,
        _ change: (inout RuleDraft) -> Void
    ) throws(EditError) {
        let rule = try self.rule(number, of: app)
        let path = entryPath(try own(rule.reference.detail, app, shared))
        let place = path + [.key(rule.isPath ? "paths" : "components"), .index(rule.index)]
        guard let value = editor.value(at: place) else { return }
        let used = AssociationFile(document: document).applinks?.usedVariables ?? []
        let old = rule.isPath ? RuleDraft(path: value.string ?? "") : RuleDraft(component: value)
        guard let old else { return }
        var new = old
        change(&new)
        let text: String? = try rule.isPath ? pathTexts([new])[0] : nil
        if text.map({ $0 == value.string }) ?? new.value.means(old.value) {
            if rule.isPath, new[.comment] != nil {
                throw EditError(
                    "\"paths\" cannot hold a comment",
                    remedy: "Write the entry with \"components\" (iOS 13 and later).",
                    at: value.range, document)
            }
            throw EditError("rule \(number) says that already", at: value.range, document)
        }
        if let text {
            try editor.set(.text(text), at: place)
            return try removeVariables(usedBefore: used)
        }
        // Member by member: unchanged members keep their place and layout.
        for member in old.members where !new.members.contains(where: { $0.key == member.key }) {
            try editor.remove(at: place + [.key(member.key)])
        }
        for member in new.members {
            let path = place + [.key(member.key)]
            if editor.value(at: path)?.means(member.value) != true {
                try editor.set(member.value, at: path)
            }
        }
        try removeVariables(usedBefore: used)
    }

    /// Removes one rule of an app.
    /// - Throws: ``EditError`` if the rule does not exist, is the last one, or is shared.
    public mutating func removeRule(
        app: String, number: Int, shared: SharedEntry = .refuse
    ) throws(EditError) {
        let rule = try self.rule(number, of: app)
        if rules(of: app).count == 1 {
            throw EditError(
                "this is the only rule of \(app)",
                remedy: "Remove the app from applinks instead.", at: rule.reference.range, document)
        }
        let used = AssociationFile(document: document).applinks?.usedVariables ?? []
        let detail = try own(rule.reference.detail, app, shared)
        let list = entryPath(detail) + [.key(rule.isPath ? "paths" : "components")]
        if editor.value(at: list)?.array?.count == 1 {
            try editor.remove(at: entryPath(detail))
        } else {
            try editor.remove(at: list + [.index(rule.index)])
        }
        try removeVariables(usedBefore: used)
    }

    /// Moves one rule of an app within its entry, so that it is evaluated earlier or later.
    ///
    /// - Parameters:
    ///   - app: its application identifier.
    ///   - number: the rule's number among the app's, from 1.
    ///   - target: the number of the rule afterwards.
    ///   - shared: what to do if the app shares its entry with others.
    /// - Throws: ``EditError`` if the rule or place does not exist, or the entry is shared.
    public mutating func moveRule(
        app: String, number: Int, to target: Int, shared: SharedEntry = .refuse
    ) throws(EditError) {
        let rule = try self.rule(number, of: app)
        let other = try self.rule(target, of: app)
        guard rule.reference.detail == other.reference.detail, number != target else {
            throw EditError(
                number == target
                    ? "rule \(number) stands there already"
                    : "rules \(number) and \(target) stand in different entries",
                remedy: number == target ? nil : "Change the order of the entries in the file.",
                at: rule.reference.range, document)
        }
        let detail = try own(rule.reference.detail, app, shared)
        let list = entryPath(detail) + [.key(rule.isPath ? "paths" : "components")]
        guard let items = editor.value(at: list)?.array else { return }
        // The written texts change places: separators, and what stands between, stay.
        var order = Array(items.indices)
        order.insert(order.remove(at: rule.index), at: other.index)
        let bytes = document.source.bytes
        try editor.apply(
            items.indices.filter { order[$0] != $0 }.map {
                TextEdit(items[$0].range, Array(bytes[items[order[$0]].range]))
            })
    }

    private func rule(_ number: Int, of app: String) throws(EditError) -> AppRule {
        let rules = rules(of: app)
        if let rule = rules.first(where: { $0.number == number }) { return rule }
        throw EditError(
            rules.isEmpty
                ? "\(app) has no rules in this file"
                : "\(app) has no rule \(number); its rules are 1 to \(rules.count)",
            remedy: "aasa app list --rules shows them", document)
    }
}
