# frozen_string_literal: true

module Stanchion
  # All errors of this gem but wrong options, which are ArgumentErrors.
  class Error < StandardError; end

  # A schema was refused. The message has the place and what was expected there.
  class SchemaError < Error
    # All errors of the schema, as Hashes with "schemaPath", "keyword", "kind", "params" and "message".
    attr_reader :errors

    def initialize(message, errors = [])
      super(message)
      @errors = errors
    end

    # The place of the first error in the schema, a JSON Pointer.
    def pointer
      errors.empty? ? nil : errors.first["schemaPath"].split("#", 2).last
    end

    # The keyword of the first error, if it is about one.
    def keyword
      errors.first&.fetch("keyword", nil)
    end
  end

  # A value does not conform to the schema.
  class ValidationError < Error
    # The place of the value, a JSON Pointer: "" is the whole.
    attr_reader :pointer
    # The keyword that refused it.
    attr_reader :keyword
    # The place of the keyword in the schema, a JSON Pointer.
    attr_reader :schema_pointer
    # Facts: "limit", "missingProperty", "suggestion" … by keyword.
    attr_reader :params
    # What is wrong, without the place.
    attr_reader :description

    def initialize(error)
      @pointer = error.fetch("instancePath")
      @keyword = error.fetch("keyword")
      @schema_pointer = error.fetch("schemaPath").split("#", 2).last
      @params = error.fetch("params")
      @description = error.fetch("message")
      super(@pointer.empty? ? @description : "#{@pointer}: #{@description}")
    end
  end

  # A run reached a limit before it had a verdict: the value is neither valid nor invalid.
  class UndecidedError < Error
    # The limit: "steps", "depth", "memory" or "number".
    attr_reader :limit

    def initialize(error)
      @limit = error.fetch("params")["exhausted"]
      super(error.fetch("message"))
    end
  end

  # An object is not one that JSON has.
  class DataError < Error
    # Its place, a JSON Pointer.
    attr_reader :pointer

    def initialize(message, pointer = "")
      super(message)
      @pointer = pointer
    end
  end

  # A tool call, or the result of one, does not go through.
  class ToolError < Error
    # "arguments", "result", "malformed", "tool" or "json".
    attr_reader :kind
    # Where a value broke its schema, as Hashes.
    attr_reader :errors
    # The tool result that answers the request, or nil. It has "isError" and a text for the model.
    attr_reader :result
    # The JSON-RPC error that answers the request, or nil.
    attr_reader :error

    def initialize(failure)
      super(failure.fetch("message"))
      @kind = failure.fetch("kind")
      @errors = failure.fetch("errors", [])
      @result = failure["result"]
      @error = failure["error"]
      @undecided = failure.key?("undecided")
    end

    # Whether a run reached a limit before it had a verdict.
    def undecided?
      @undecided
    end
  end

  # A text is not JSON.
  class ParseError < Error
    attr_reader :line, :column

    def initialize(message, line = nil, column = nil)
      super(message)
      @line = line
      @column = column
    end
  end

  # Turns the problems of the contract that all bindings share into exceptions.
  module Problem
    def self.exception(problem)
      message = problem.fetch("message")
      case problem.fetch("status")
      when "misuse" then ArgumentError.new(Options.in_ruby(message))
      when "not_json" then ParseError.new(message, problem["line"], problem["column"])
      else SchemaError.new(message, problem.fetch("errors", []))
      end
    end
  end
  private_constant :Problem
end
