# frozen_string_literal: true

module Stanchion
  # A compiled schema. It is frozen: threads and ractors may share it.
  class Validator
    # How many characters a text for a model has, unless told otherwise.
    MODEL_CHARACTERS = 2_000

    class << self
      # Compiles a schema: a Hash with keys that are Strings or Symbols, true, false, or JSON text.
      #
      # Options: dialect, unknown_dialect, references, resources, assert_formats, ignore_formats, array_items, limits, text_bytes, messages,
      # cache. The README says what they mean.
      def new(schema, **options)
        compiled = compile(schema, Options.convert(options))
        return compiled unless compiled.is_a?(String)

        raise Problem.exception(JSON.parse(compiled, max_nesting: false))
      end

      # All that is wrong with a schema, and what it probably did not mean: a Hash with "errors", "warnings" and "isCut".
      def diagnose(schema, **options)
        JSON.parse(diagnose_json(schema, Options.convert(options)), max_nesting: false)
      end

      private :compile, :diagnose_json
    end

    # valid?(data) and verdict(data) are native: whether an object conforms, and :valid, :invalid or :undecided.

    # Raises the most helpful error if an object does not conform. Returns the object.
    def validate!(data)
      raise_first(explain_first(data)) unless valid?(data)
      data
    end

    # Yields all errors of an object, the most helpful first. Without a block, an Enumerator.
    def each_error(data, &block)
      return enum_for(:each_error, data) unless block

      valid?(data) || each_in(explain(data), &block)
      self
    end

    # What is wrong with an object, in plain text for a language model. Empty if nothing is.
    def errors_for_model(data, max_characters: MODEL_CHARACTERS)
      valid?(data) ? "" : for_model(data, max_characters)
    end

    # Whether the value of a JSON text conforms. Raises ParseError if the text is not JSON.
    def valid_json?(text)
      verdict_json(text) == :valid
    end

    # :valid, :invalid or :undecided.
    def verdict_json(text)
      status = check_json(text)
      raise_first(explain_first_json(text)) if status == :not_json
      status
    end

    def validate_json!(text)
      raise_first(explain_first_json(text)) unless check_json(text) == :valid
      text
    end

    def each_json_error(text, &block)
      return enum_for(:each_json_error, text) unless block

      each_in(explain_json(text), &block)
      self
    end

    def json_errors_for_model(text, max_characters: MODEL_CHARACTERS)
      for_model_json(text, max_characters)
    end

    # All errors of an object as Hashes, also with the paths through references and with what the other branches of a union said.
    def errors_in_full(data)
      report(:explain_in_full, data)
    end

    # An output format of the specification: :flag, :basic, :detailed, :verbose, :list or :hierarchical.
    def output(data, format = :basic)
      number = FORMATS.index(format) || raise(ArgumentError, "expected one of #{FORMATS.join(", ")}, found #{format.inspect}")
      report(:output, data, number)
    end

    # What the keywords that held say about an object: an Array of Hashes.
    def annotations(data)
      report(:annotations, data)
    end

    # How many steps a verdict takes. They are the same on every machine.
    def steps(data)
      report(:measure, data)
    end

    # A bound on the steps of a verdict on any instance of so many values in so many bytes of text: a Hash with "growth", "steps" and "places".
    def cost(nodes:, bytes:)
      JSON.parse(report_json(:cost, "", [nodes, bytes]))
    end

    # How large the schema is: a Hash with "depth", "subschemas" and so on.
    def size
      JSON.parse(report_json(:size, "", [0, 0]))
    end

    # What the schema was compiled to: a listing, for people.
    def program
      report_json(:program, "", [0, 0])
    end

    def inspect
      "#<#{self.class}>"
    end

    FORMATS = [:flag, :basic, :detailed, :verbose, :list, :hierarchical].freeze
    private_constant :FORMATS

    private :report_json, :explain, :explain_json, :explain_first, :explain_first_json, :for_model, :for_model_json, :check_json

    private

    def report(question, data, number = 0)
      JSON.parse(report_json(question, Stanchion.send(:generate, data), [number, 0]), max_nesting: false)
    end

    def raise_first(errors)
      first = JSON.parse(errors, max_nesting: false).first
      raise exception_of(first) if first
    end

    def each_in(errors)
      JSON.parse(errors, max_nesting: false).each { |error| yield exception_of(error) }
    end

    # Its facts say whether an entry is about the value, the run or the text.
    def exception_of(error)
      params = error.fetch("params")
      return UndecidedError.new(error) if params.key?("exhausted")
      return ParseError.new(error.fetch("message"), params["line"], params["column"]) if params.key?("line")

      ValidationError.new(error)
    end
  end
end
