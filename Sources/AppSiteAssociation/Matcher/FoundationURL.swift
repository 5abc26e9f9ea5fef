#if FoundationURL
    public import FoundationEssentials

    // For users with URL values. The library itself does not use Foundation: this file is empty
    // unless the package's trait `FoundationURL` is enabled.

    extension URLParts {
        /// Parses a URL as written.
        ///
        /// - Returns: nil unless it is `scheme://host…` or begins with a slash.
        public init?(_ url: URL) {
            self.init(url.absoluteString)
        }
    }

    extension CompiledAssociation {
        /// The decisions for every app, or for one; see ``decide(url:app:domain:explain:)``.
        public func decide(
            _ url: URL, app: String? = nil, domain: String? = nil, explain: Bool = false
        ) -> [AppDecision]? {
            decide(url: url.absoluteString, app: app, domain: domain, explain: explain)
        }
    }

    extension SourceText {
        /// The bytes of a file, named by its path.
        ///
        /// - Throws: why the file cannot be read.
        public convenience init(contentsOf file: URL) throws {
            self.init(name: file.path, bytes: [UInt8](try Data(contentsOf: file)))
        }
    }
#endif
