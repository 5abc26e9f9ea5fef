#if FoundationURL
    public import FoundationEssentials

    // For users that have URLs as values already. The library itself knows no Foundation: this file
    // is empty unless the package's trait `FoundationURL` is asked for.

    extension URLParts {
        /// A URL taken apart as it is written.
        ///
        /// - Returns: nil for what is neither `scheme://host…` nor begins with a slash.
        public init?(_ url: URL) {
            self.init(url.absoluteString)
        }
    }

    extension CompiledAssociation {
        /// Decides for every app, or for one; see ``decide(url:app:domain:explain:)``.
        public func decide(
            _ url: URL, app: String? = nil, domain: String? = nil, explain: Bool = false
        ) -> [AppDecision]? {
            decide(url: url.absoluteString, app: app, domain: domain, explain: explain)
        }
    }

    extension SourceText {
        /// The bytes of a file, under the name of its path.
        ///
        /// - Throws: what keeps the file from being read.
        public convenience init(contentsOf file: URL) throws {
            self.init(name: file.path, bytes: [UInt8](try Data(contentsOf: file)))
        }
    }
#endif
