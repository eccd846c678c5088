# frozen_string_literal: true

require "pathname"

# What programs use of json_schemer 2, on Stanchion: JSONSchemer.schema, Schema#valid?, #validate, #valid_schema?, #validate_schema.
#
# It differs in these ways:
# - References are never fetched. They lead within the schema, by "#" or by "$id", and else are errors of the schema.
# - Every call ends within a bound. A value that could not be checked within it is not valid, and its error has the type "undecided".
# - The texts of errors are Stanchion's, and begin with the place.
# - Patterns are those of ECMA-262 and run in linear time.
module JSONSchemer
  # Marks this face, for who wants to know which one is loaded.
  STANCHION = ::Stanchion::VERSION

  # A schema that was given to JSONSchemer.schema.
  class Schema
    # json_schemer counts nothing. These are larger than what any user's schema has, and small enough to be bounds.
    LIMITS = { depth: 256, subschemas: 40_000 }.freeze
    private_constant :LIMITS

    attr_reader :value

    def initialize(schema, meta_schema: nil, format: true)
      @value = schema
      @options = { references: "bundled", assert_formats: format ? true : false, limits: LIMITS }
      @options[:dialect] = meta_schema.is_a?(Schema) ? meta_schema.value : meta_schema if meta_schema
    end

    # Whether a value conforms.
    def valid?(data)
      validator.valid?(data)
    end

    # The errors of a value, as Hashes: "data", "data_pointer", "schema", "schema_pointer", "root_schema", "type", "error", "details".
    def validate(data)
      return enum_for(:validate, data) { nil } unless block_given?

      validator.each_error(data) { |error| yield describe(error, data) }
    end

    # Whether the schema is one.
    def valid_schema?
      validate_schema.none?
    end

    # The errors of the schema. Their "data" and "data_pointer" are of the schema, which is the value that is checked.
    def validate_schema
      return enum_for(:validate_schema) { nil } unless block_given?

      ::Stanchion::Validator.diagnose(@value, **@options).fetch("errors").each do |error|
        pointer = error.fetch("schemaPath").split("#", 2).last
        yield({
          "data" => dig(@value, pointer),
          "data_pointer" => pointer,
          "schema" => nil,
          "schema_pointer" => "",
          "root_schema" => @value,
          "type" => error.fetch("kind"),
          "error" => pointer.empty? ? error.fetch("message") : "#{pointer}: #{error.fetch("message")}",
          "details" => error.fetch("params"),
        })
      end
    end

    private

    def validator
      @validator ||= ::Stanchion::Validator.new(@value, **@options)
    end

    def describe(error, data)
      unless error.is_a?(::Stanchion::ValidationError)
        return { "data" => data, "data_pointer" => "", "schema" => @value, "schema_pointer" => "", "root_schema" => @value,
                 "type" => "undecided", "error" => error.message }
      end

      pointer = error.schema_pointer.rpartition("/").first
      described = {
        "data" => dig(data, error.pointer),
        "data_pointer" => error.pointer,
        "schema" => dig(@value, pointer),
        "schema_pointer" => pointer,
        "root_schema" => @value,
        "type" => type_of(error),
        "error" => error.message,
      }
      described["details"] = { "missing_keys" => error.params["missing"] } if error.keyword == "required"
      described
    end

    # For a wrong type json_schemer names the one that was expected.
    def type_of(error)
      expected = error.params["type"]
      error.keyword == "type" && expected.is_a?(String) ? expected : error.keyword
    end

    def dig(value, pointer)
      pointer.split("/").drop(1).reduce(value) do |inner, step|
        step = step.gsub("~1", "/").gsub("~0", "~")
        case inner
        when Hash then inner.fetch(step) { inner[step.to_sym] }
        when Array then inner[Integer(step, exception: false) || inner.size]
        end
      end
    end
  end

  class << self
    # Takes a Hash, true, false, JSON text, or a Pathname of a file with one. Options are meta_schema and format.
    def schema(schema, **options)
      unknown = options.keys - [:meta_schema, :format]
      raise ArgumentError, "stanchion/json_schemer does not take the option #{unknown.first}" unless unknown.empty?

      schema = schema.read if schema.is_a?(Pathname)
      schema = ::JSON.parse(schema, max_nesting: false) if schema.is_a?(String)
      Schema.new(schema, **options)
    end

    def valid_schema?(schema, **options)
      schema(schema, **options).valid_schema?
    end

    def validate_schema(schema, **options)
      schema(schema, **options).validate_schema
    end

    { draft4: "draft-04", draft6: "draft-06", draft7: "draft-07", draft201909: "2019-09", draft202012: "2020-12" }.each do |name, dialect|
      define_method(name) { Schema.new(dialect) }
    end
  end
end
