# frozen_string_literal: true

module Stanchion
  # The rules for tools of the Model Context Protocol as the Ruby SDK 1.3 has them, so that its Tool::Schema can delegate here.
  #
  # - A root without a type is that of an object: for input always, for output if no other keyword says what the root is.
  # - Bounds: 64 levels, 10,000 objects, references that start with "#". What is beyond raises ArgumentError.
  # - "$schema" at the root is ignored: the dialect is always 2020-12. Formats are not asserted.
  # - Structured content that is neither an object nor nil is repeated as text if the tool gave no content.
  module MCP
    # Arguments or a result do not conform.
    class ValidationError < Error; end

    class << self
      # A copy of an input schema with the type that its root has if it says none.
      def default_input_root(schema)
        given?(schema, :type) ? schema : with_object(schema)
      end

      # A copy of an output schema with "type": "object" if no keyword says what the root is.
      def default_output_root(schema)
        ROOT_KEYWORDS.any? { |keyword| schema.key?(keyword) || schema.key?(keyword.to_s) } ? schema : with_object(schema)
      end

      # Raises ArgumentError if a schema is out of bounds, or is no schema.
      def check_schema!(schema)
        OutputSchema.new(schema)
        nil
      end

      # The content of a result: what the tool gave, or the text of structured content that is neither an object nor nil.
      def content_for(structured_content, content = nil)
        return content unless content.nil?
        return [] if structured_content.nil? || structured_content.is_a?(Hash)

        [{ type: "text", text: Stanchion.send(:generate, structured_content) }]
      end

      private

      def given?(schema, keyword)
        !(schema[keyword] || schema[keyword.to_s]).nil?
      end

      def with_object(schema)
        key = schema.each_key.first.is_a?(String) ? "type" : :type
        schema.merge(key => "object")
      end
    end

    ROOT_KEYWORDS = [:type, :"$ref", :oneOf, :anyOf, :allOf, :not, :if, :const, :enum].freeze
    private_constant :ROOT_KEYWORDS

    # What both kinds of schemas have.
    module ToolSchema
      # The schema as it goes to clients, with Symbols for keys.
      def to_h
        JSON.parse(to_json_text, symbolize_names: true, max_nesting: false)
      end

      def inspect
        "#<#{self.class} #{to_json_text}>"
      end
    end
    private_constant :ToolSchema

    # The schema of a tool's arguments. InputSchema.new(schema) raises ArgumentError if it is refused.
    class InputSchema
      include ToolSchema

      # Raises ValidationError, with a text that a model can act on, if arguments do not conform. nil stands for no arguments.
      def validate_arguments(arguments)
        problem = problem(arguments.nil? ? {} : arguments)
        raise ValidationError, problem if problem
      end

      # The names that are required and absent.
      def missing_required_arguments(arguments)
        required = to_h[:required]
        required.is_a?(Array) ? required - arguments.keys.map(&:to_s) : []
      end

      private :problem, :to_json_text
    end

    # The schema of a tool's structured content. OutputSchema.new(schema) raises ArgumentError if it is refused.
    class OutputSchema
      include ToolSchema

      # Raises ValidationError if a result does not conform.
      def validate_result(result)
        problem = problem(result)
        raise ValidationError, problem if problem
      end

      private :problem, :to_json_text
    end
  end
end
