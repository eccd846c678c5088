# frozen_string_literal: true

require_relative "helper"

# The rules of the Ruby SDK, sentence by sentence of its change to JSON Schema 2020-12.
class MCPTest < Minitest::Test
  Input = Stanchion::MCP::InputSchema
  Output = Stanchion::MCP::OutputSchema

  def test_an_input_schema_keeps_its_object_root_and_all_keywords
    schema = {
      type: "object",
      "$defs": { address: { type: "object", properties: { city: { type: "string" } } } },
      properties: { address: { "$ref": "#/$defs/address" }, kind: { oneOf: [{ const: "a" }, { const: "b" }] } },
      if: { properties: { kind: { const: "a" } } },
      then: { required: ["address"] },
      allOf: [{ required: ["kind"] }],
    }
    input = Input.new(schema)
    assert_equal schema, input.to_h
    assert input.valid?({ kind: "b" })
    refute input.valid?({ kind: "a" })
    assert_equal({ type: "object", properties: {} }, Input.new({ properties: {} }).to_h.sort.reverse.to_h)
  end

  def test_roots_that_say_what_they_are_get_no_type
    [
      { oneOf: [{ type: "string" }, { type: "number" }] },
      { "$ref": "#/$defs/a", "$defs": { a: { type: "number" } } },
      { type: "number" },
      { type: "array", items: { type: "string" } },
      { enum: ["a", "b"] },
      { const: 1 },
      { not: { type: "string" } },
      { anyOf: [{}] },
      { allOf: [{}] },
      { if: {} },
    ].each do |schema|
      assert_equal schema, Output.new(schema).to_h
      assert_equal schema, Stanchion::MCP.default_output_root(schema)
    end
  end

  def test_the_properties_only_shorthand_gets_one
    schema = { properties: { a: { type: "string" } } }
    assert_equal "object", Output.new(schema).to_h[:type]
    assert_equal schema.merge(type: "object"), Stanchion::MCP.default_output_root(schema)
    assert_equal schema.merge(type: "object"), Stanchion::MCP.default_input_root(schema)
    assert_equal({ "properties" => {}, "type" => "object" }, Stanchion::MCP.default_input_root({ "properties" => {} }))
    refute Output.new(schema).valid?([])
  end

  def test_results_are_checked
    numbers = Output.new({ type: "array", items: { type: "number" } })
    assert_nil numbers.validate_result([1, 2.5])
    error = assert_raises(Stanchion::MCP::ValidationError) { numbers.validate_result(["a"]) }
    assert error.message.start_with?("Invalid result:") && error.message.include?("/0")
    assert_nil Output.new({ type: "null" }).validate_result(nil)
  end

  def test_arguments_are_checked
    input = Input.new({ properties: { count: { type: "integer" } }, required: ["count"] })
    assert_nil input.validate_arguments({ count: 1 })
    error = assert_raises(Stanchion::MCP::ValidationError) { input.validate_arguments({ "count" => "x" }) }
    assert error.message.start_with?("Invalid arguments:") && error.message.include?("/count")
    assert_raises(Stanchion::MCP::ValidationError) { input.validate_arguments(nil) }
    assert_nil Input.new({}).validate_arguments(nil)
    assert_equal ["count"], input.missing_required_arguments({})
    assert_equal [], input.missing_required_arguments({ count: 1 })
  end

  def test_a_boolean_exclusive_minimum_is_rejected_and_a_number_is_not
    error = assert_raises(ArgumentError) { Input.new({ properties: { count: { minimum: 1, exclusiveMinimum: true } } }) }
    assert_includes error.message, "Invalid JSON Schema"
    assert_includes error.message, "properties/count/exclusiveMinimum"
    assert Input.new({ properties: { count: { exclusiveMinimum: 1 } } })
  end

  def test_other_spellings_of_draft_04_are_annotations
    assert Input.new({ id: "x", definitions: { a: {} }, dependencies: { a: ["b"] } })
  end

  def test_the_dialect_is_always_2020_12
    input = Input.new({ "$schema": "http://json-schema.org/draft-07/schema#", properties: { a: { prefixItems: [{ type: "string" }] } } })
    refute input.valid?({ a: [1] })
  end

  def test_bounds_raise_argument_errors
    deep = 64.times.reduce({}) { |inner, _| { properties: { a: inner } } }
    assert_match(/maximum depth/, assert_raises(ArgumentError) { Input.new(deep) }.message)
    wide = { properties: 10_001.times.to_h { |at| ["p#{at}", {}] } }
    assert_match(/subschema/, assert_raises(ArgumentError) { Input.new(wide) }.message)
    ["https://example.com/a", "file.json"].each do |reference|
      ["$ref", "$dynamicRef"].each do |keyword|
        error = assert_raises(ArgumentError) { Input.new({ properties: { a: { keyword => reference } } }) }
        assert_match(/same-document/, error.message)
        assert_includes error.message, keyword
      end
    end
    assert Input.new({ properties: { a: { "$ref": "#/$defs/a" } }, "$defs": { a: {} } })
    assert_raises(ArgumentError) { Stanchion::MCP.check_schema!(deep) }
    assert_nil Stanchion::MCP.check_schema!({ type: "array" })
  end

  def test_what_is_no_object_is_repeated_as_text_if_there_is_no_content
    mirror = ->(*arguments) { Stanchion::MCP.content_for(*arguments) }
    assert_equal [{ type: "text", text: "[1,\"a\",{\"b\":null}]" }], mirror.call([1, "a", { b: nil }])
    assert_equal [{ type: "text", text: "[1.0,1.5,1180591620717411303424]" }], mirror.call([1.0, BigDecimal("1.50"), 2**70])
    assert_equal [{ type: "text", text: "false" }], mirror.call(false)
    assert_equal [], mirror.call({ a: 1 })
    assert_equal [], mirror.call(nil)
    assert_equal [], mirror.call([1], [])
    assert_equal [{ type: "text", text: "own" }], mirror.call([1], [{ type: "text", text: "own" }])
  end

  def test_formats_are_not_enforced
    assert Input.new({ properties: { a: { format: "date" } } }).valid?({ a: "soon" })
  end
end
