# frozen_string_literal: true

require_relative "helper"

# The cases that every binding runs, by objects and by text. Two kinds do not apply: options and profiles that are no object, since they are keywords here, and
# texts that are not JSON where a method takes objects alone. They are counted, so that no other is left out unseen.
class WireTest < Minitest::Test
  SPECIAL = { "not_json" => Stanchion::ParseError, "refused" => Stanchion::SchemaError, "misuse" => ArgumentError }.freeze
  OBJECTS_ALONE = ["explain_in_full", "measure", "output", "annotations"].freeze
  SKIPPED = { cases: 4, calls: 4 }.freeze

  class << self
    attr_accessor :ran, :skipped
  end
  self.ran = 0
  self.skipped = { cases: 0, calls: 0 }

  Suite.wire.each do |file, cases|
    cases.each_with_index do |wire, index|
      define_method("test_#{file}_#{index}_#{wire.fetch("description")}") { wire.key?("tools") || wire.key?("toolsText") ? run_toolbox(wire) : run_case(wire) }
    end
  end

  Minitest.after_run do
    all_ran = ran == Suite.wire.sum { |_, cases| cases.size }
    abort "wire cases: skipped #{skipped}, expected #{SKIPPED}" if all_ran && skipped != SKIPPED
  end

  def setup
    self.class.ran += 1
  end

  private

  def run_case(wire)
    schema = wire.fetch("schemaText") { wire.fetch("schema") }
    if wire.key?("optionsText") || !wire.fetch("options", {}).is_a?(Hash)
      self.class.skipped[:cases] += 1
      return
    end

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
    return assert_answer(call, Stanchion::Validator.diagnose(schema, **options)) if call.fetch("call") == "diagnose"

    return self.class.skipped[:calls] += 1 if OBJECTS_ALONE.include?(call.fetch("call")) && call.fetch("status") == "not_json"

    validator = Stanchion::Validator.new(schema, **options)
    text = call.fetch("text") { JSON.generate(call["json"], max_nesting: 0) }
    case call.fetch("call")
    when "check" then check(validator, call, text)
    when "explain" then explain(validator, call, text)
    when "explain_first" then explain_first(validator, call, text)
    when "explain_in_full" then assert_answer(call, validator.errors_in_full(Suite.parse(text)))
    when "cost" then assert_answer(call, validator.cost(nodes: call.fetch("nodes"), bytes: call.fetch("bytes")))
    when "size" then assert_answer(call, validator.size)
    when "measure" then assert_equal call.fetch("steps"), validator.steps(Suite.parse(text))
    when "for_model" then for_model(validator, call, text)
    when "output" then assert_answer(call, validator.output(Suite.parse(text), call.fetch("format").to_sym))
    when "annotations" then assert_answer(call, validator.annotations(Suite.parse(text)))
    else flunk "no such call: #{call["call"]}"
    end
  end

  def assert_answer(call, found)
    return assert_equal(call["answer"], found) if call.key?("answer")
    return call.fetch("answerHas").each { |name, value| assert value == found[name], "#{name}: #{found[name].inspect}" } if call.key?("answerHas")

    assert_equal JSON.parse(call.fetch("answerText")), found
  end

  def check(validator, call, text)
    status = call.fetch("status")
    return assert_raises(SPECIAL.fetch(status)) { validator.verdict_json(text) } if SPECIAL.key?(status)

    assert_equal status.to_sym, validator.verdict_json(text)
    assert_equal status.to_sym, validator.verdict(call["json"]) if call.key?("json")
  end

  # What an exception says, as the contract has it.
  def facts(error)
    case error
    when Stanchion::ValidationError then [error.pointer, error.keyword, error.description, error.params]
    when Stanchion::UndecidedError then ["", "", error.message, { "exhausted" => error.limit }]
    else ["", "", error.message, { "line" => error.line, "column" => error.column }]
    end
  end

  def expected(call)
    call.fetch("answer").map { |error| error.values_at("instancePath", "keyword", "message", "params") }
  end

  def explain(validator, call, text)
    assert_equal expected(call), validator.each_json_error(text).map { |error| facts(error) }
    assert_equal expected(call), validator.each_error(call["json"]).map { |error| facts(error) } if call.key?("json")
  end

  def explain_first(validator, call, text)
    return assert_equal(text, validator.validate_json!(text)) if call.fetch("answer").empty?

    assert_equal expected(call), [facts(assert_raises(Stanchion::Error) { validator.validate_json!(text) })]
    assert_equal expected(call), [facts(assert_raises(Stanchion::Error) { validator.validate!(call["json"]) })] if call.key?("json")
  end

  def for_model(validator, call, text)
    characters = call.fetch("maxChars")
    assert_equal call.fetch("answerText"), validator.json_errors_for_model(text, max_characters: characters)
    assert_equal call.fetch("answerText"), validator.errors_for_model(call["json"], max_characters: characters) if call.key?("json")
  end

  def run_toolbox(wire)
    list = wire.fetch("toolsText") { wire.fetch("tools") }
    if wire.key?("profileText") || !wire.fetch("profile", {}).is_a?(Hash)
      self.class.skipped[:cases] += 1
      return
    end

    profile = wire.fetch("profile", {}).transform_keys(&:to_sym)
    return assert_raises(SPECIAL.fetch(wire.fetch("status"))) { Stanchion::Toolbox.new(list, **profile) } unless wire.fetch("status") == "valid"

    toolbox = Stanchion::Toolbox.new(list, **profile)
    assert_equal wire["loaded"], toolbox.loaded if wire.key?("loaded")
    wire.fetch("calls", []).each { |call| run_tool_call(toolbox, call) }
  end

  def run_tool_call(toolbox, call)
    run = -> { tool_call(toolbox, call) }
    case status = call.fetch("status")
    when "valid" then assert_answer(call, run.call)
    when "misuse" then assert_raises(ArgumentError, &run)
    else
      error = assert_raises(Stanchion::ToolError, Stanchion::ParseError, &run)
      return if error.is_a?(Stanchion::ParseError)

      wanted = call.fetch("answer") { call.fetch("answerHas") }
      assert_equal wanted["kind"], error.kind
      assert_equal wanted["message"], error.message if wanted.key?("message")
      assert_equal status == "undecided", error.undecided?
    end
  end

  def tool_call(toolbox, call)
    name, version = call.values_at("name", "version")
    params = call.fetch("paramsText") { call["params"] }
    result = call.fetch("resultText") { call["result"] }
    list = call.fetch("toolsText") { call["tools"] }
    case call.fetch("call")
    when "toolbox_check_call" then { "name" => toolbox.check_call(params, version) }
    when "toolbox_fill_call" then toolbox.fill_call(params, version)
    when "toolbox_check_result" then toolbox.check_result(name, version, result)
    when "toolbox_send_result" then toolbox.send_result(name, version, result)
    when "toolbox_definition" then toolbox.definition(name, version)
    when "toolbox_list" then toolbox.list(version)
    when "toolbox_extend" then toolbox.add(list)
    when "toolbox_replace" then toolbox.replace(list)
    when "toolbox_profile" then toolbox.profile
    else flunk "no such call: #{call["call"]}"
    end
  end
end
