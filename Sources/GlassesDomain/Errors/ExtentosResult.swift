/// The outcome of a connect, capture or audio operation; pattern-match it.
public enum ExtentosResult<Success: Sendable, Failure: Error & Sendable>: Sendable {
    case success(Success)
    case failure(Failure)

    /// The value, or nil after a failure.
    public var success: Success? { if case .success(let value) = self { value } else { nil } }

    /// The error, or nil after a success.
    public var failure: Failure? { if case .failure(let error) = self { error } else { nil } }

    /// The result with its value changed by `transform`; a failure stays as it is.
    public func map<New: Sendable>(_ transform: (Success) -> New) -> ExtentosResult<New, Failure> {
        switch self {
        case .success(let value): .success(transform(value))
        case .failure(let error): .failure(error)
        }
    }

    /// The result of `transform` on the value; a failure stays as it is.
    public func flatMap<New: Sendable>(
        _ transform: (Success) -> ExtentosResult<New, Failure>
    ) -> ExtentosResult<New, Failure> {
        switch self {
        case .success(let value): transform(value)
        case .failure(let error): .failure(error)
        }
    }
}

extension ExtentosResult: Equatable where Success: Equatable, Failure: Equatable {}
