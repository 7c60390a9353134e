import GlassesDomain
import GlassesRealtime

/// What a brain is asked.
public struct BrainRequest: Sendable, Hashable {
    /// Why an answer is wanted.
    public enum Occasion: Sendable, Hashable {
        /// There is something to answer: ``BrainRequest/pending`` is not empty.
        case turn
        /// Somebody spoke, and no word was understood.
        case nothingUnderstood
        /// Nobody has spoken for the session's idle time.
        case silence
        /// The client asked for an answer without anything new.
        case unprompted
    }

    /// Why an answer is wanted.
    public var occasion: Occasion
    /// The instructions of the response, or else of the session.
    public var instructions: String
    /// The conversation, oldest first; answers that were cut hold what was heard.
    public var context: [BrainMessage]
    /// The user texts and tool results of ``context`` that no answer has dealt with, oldest first.
    public var pending: [BrainMessage]
    /// The functions that may be called.
    public var tools: [FunctionTool]
    /// Whether and which function must be called.
    public var toolChoice: GlassesRealtime.ToolChoice
    /// The longest answer in tokens, for brains that count them; nil means as long as the brain allows.
    public var maxTokens: Int?

    /// A request.
    public init(
        occasion: Occasion, instructions: String = "", context: [BrainMessage] = [], pending: [BrainMessage] = [],
        tools: [FunctionTool] = [], toolChoice: GlassesRealtime.ToolChoice = .auto, maxTokens: Int? = nil
    ) {
        self.maxTokens = maxTokens
        self.occasion = occasion
        self.instructions = instructions
        self.context = context
        self.pending = pending
        self.tools = tools
        self.toolChoice = toolChoice
    }
}

/// One entry of a conversation as a brain reads it.
public enum BrainMessage: Sendable, Hashable {
    /// A rule of the app.
    case system(String)
    /// What the user said or wrote.
    case user(String)
    /// What the user shows.
    case picture(BrainPicture)
    /// What the assistant said, as far as it was heard.
    case assistant(String)
    /// A function that was called.
    case call(callId: String, BrainFunctionCall)
    /// Its result, with the function's name.
    case result(callId: String, name: String, output: String)
}

/// A picture as a brain reads it; its description tells nothing of what it shows.
public struct BrainPicture: Sendable, Hashable, CustomStringConvertible {
    /// A data URL of a PNG or JPEG file; empty when the file was forgotten in favour of newer ones.
    public var url: String
    /// The words that came in the same message; may be empty. They are about the picture.
    public var caption: String
    /// How long ago it came.
    public var age: Duration

    /// A picture.
    public init(url: String, caption: String, age: Duration) {
        self.url = url
        self.caption = caption
        self.age = age
    }

    /// Its size.
    public var description: String { "picture of \(url.utf8.count) bytes" }
}

/// A function to call.
public struct BrainFunctionCall: Sendable, Hashable {
    /// The function's name.
    public var name: String
    /// The arguments as JSON text.
    public var arguments: String

    /// A call.
    public init(name: String, arguments: String) {
        self.name = name
        self.arguments = arguments
    }
}

/// What a brain answers; neither speech nor calls means that there is nothing to say.
public struct BrainReply: Sendable, Hashable {
    /// What the assistant says before the calls, behind what was passed on as ``BrainPiece``; nil or blank for nothing.
    public var speech: String?
    /// The functions to call, in order.
    public var calls: [BrainFunctionCall]
    /// Who made the answer; nil for the brain that was asked.
    public var source: BrainSource?
    /// What the answer cost; nil when nobody counts.
    public var usage: BrainUsage?
    /// Whether it is all that was to be said.
    public var ending: BrainEnding

    /// A reply.
    public init(
        speech: String? = nil, calls: [BrainFunctionCall] = [], source: BrainSource? = nil, usage: BrainUsage? = nil,
        ending: BrainEnding = .complete
    ) {
        self.speech = speech
        self.calls = calls
        self.source = source
        self.usage = usage
        self.ending = ending
    }
}

/// The next words of an answer that is still being made.
public struct BrainPiece: Sendable, Hashable {
    /// One or more whole sentences, with the white space around them: all pieces and the reply's speech together are the text.
    public var speech: String
    /// Who makes the answer; nil for the brain that was asked.
    public var source: BrainSource?

    /// A piece.
    public init(speech: String, source: BrainSource? = nil) {
        self.speech = speech
        self.source = source
    }
}

/// Who made an answer, where one brain can stand in for another.
public struct BrainSource: Sendable, Hashable {
    /// The brain's name, such as `rules`.
    public var name: String
    /// The model, as its endpoint names it; the brain's name where there is no model.
    public var model: String
    /// Whether it stands in for the brain that was asked.
    public var isFallback: Bool

    /// A source.
    public init(name: String, model: String, isFallback: Bool = false) {
        self.name = name
        self.model = model
        self.isFallback = isFallback
    }
}

/// What an answer cost, in tokens.
public struct BrainUsage: Sendable, Hashable {
    /// What was read.
    public var inputTokens: Int
    /// What was written, thoughts included.
    public var outputTokens: Int

    /// A count.
    public init(inputTokens: Int, outputTokens: Int) {
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
    }
}

/// How an answer ended.
public enum BrainEnding: Sendable, Hashable {
    /// Everything was said.
    case complete
    /// It reached its longest length.
    case tooLong
    /// The rest was held back by a filter of the endpoint.
    case withheld
}
