# frozen_string_literal: true

require_relative "helper"

# The cases that every binding runs, as far as Ruby has their calls: by objects, and by text.
class WireTest < Minitest::Test
  SPECIAL = { "not_json" => Stanchion::ParseError, "refused" => Stanchion::SchemaError, "misuse" => ArgumentError }.freeze

  Suite.wire.each do |file, cases|
    cases.each_with_index do |wire, index|
      # Ruby has the SDK's own toolbox, and no other.
      next if file == "mcp.json"

      define_method("test_#{file}_#{index}_#{wire.fetch("description")}") { run_case(wire) }
    end
  end

  private

  def run_case(wire)
    schema = wire.fetch("schemaText") { wire.fetch("schema") }
    skip "options that are no keywords" if wire.key?("optionsText") || !wire.fetch("options", {}).is_a?(Hash)

    options = wire.fetch("options", {}).transform_keys(&:to_sym)
    unless wire.fetch("status") == "valid"
      error = assert_raises(SPECIAL.fetch(wire.fetch("status"))) { Stanchion::Validator.new(schema, **options) }
      problem = wire["problem"]
      assert_equal problem.fetch("errors"), error.errors if problem&.key?("errors") && error.is_a?(Stanchion::SchemaError)
      assert_equal problem.fetch("message"), error.message if problem&.key?("message") && !error.is_a?(ArgumentError)
    end
    wire.fetch("calls", []).each { |call| run_call(schema, options, call) }
  end

  def run_call(schema, options, call)
    if call.fetch("call") == "diagnose"
      return assert_equal(call.fetch("answer"), Stanchion::Validator.diagnose(schema, **options))
    end

    validator = Stanchion::Validator.new(schema, **options)
    text = call.fetch("text") { JSON.generate(call["json"], max_nesting: 0) }
    case call.fetch("call")
    when "check" then check(validator, call, text)
    when "explain" then explain(validator, call, text)
    when "for_model"
      characters = call.fetch("maxChars")
      assert_equal call.fetch("answerText"), validator.json_errors_for_model(text, max_characters: characters)
      assert_equal call.fetch("answerText"), validator.errors_for_model(call["json"], max_characters: characters) if call.key?("json")
    end
  end

  def check(validator, call, text)
    status = call.fetch("status")
    return assert_raises(SPECIAL.fetch(status)) { validator.verdict_json(text) } if SPECIAL.key?(status)

    assert_equal status.to_sym, validator.verdict_json(text)
    assert_equal status.to_sym, validator.verdict(call["json"]) if call.key?("json")
  end

  def explain(validator, call, text)
    expected = call.fetch("answer").map { |error| [error["instancePath"], error["keyword"], error["message"], error["params"]] }
    facts = lambda do |error|
      case error
      when Stanchion::ValidationError then [error.pointer, error.keyword, error.description, error.params]
      when Stanchion::UndecidedError then ["", "", error.message, { "exhausted" => error.limit }]
      else ["", "", error.message, { "line" => error.line, "column" => error.column }]
      end
    end
    assert_equal expected, validator.each_json_error(text).map(&facts)
    assert_equal expected, validator.each_error(call["json"]).map(&facts) if call.key?("json")
  end
end
