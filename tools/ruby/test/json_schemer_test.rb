# frozen_string_literal: true

require_relative "helper"
require "stanchion/json_schemer"

class JSONSchemerTest < Minitest::Test
  URI_2020_12 = "https://json-schema.org/draft/2020-12/schema"

  def schemer(schema, **options)
    JSONSchemer.schema(schema, **options)
  end

  def test_the_gem_is_found_here
    refute require("json_schemer")
    assert JSONSchemer::STANCHION
  end

  def test_values
    schema = schemer({ "type" => "object", "properties" => { "a" => { "type" => "integer" } }, "required" => ["b"] }, meta_schema: URI_2020_12, format: false)
    assert schema.valid?({ "b" => 1 })
    assert_equal [], schema.validate({ "b" => 1 }).to_a
    missing, wrong = schema.validate({ "a" => "x" }).to_a
    assert_equal ["", "required", { "missing_keys" => ["b"] }], missing.values_at("data_pointer", "type", "details")
    assert_equal ["/a", "/properties/a", "integer", "x", { "type" => "integer" }], wrong.values_at("data_pointer", "schema_pointer", "type", "data", "schema")
    assert_equal "/a: expected an integer, found the string \"x\"", wrong.fetch("error")
    assert_kind_of Enumerator, schema.validate({})
  end

  def test_schemas
    schema = schemer({ "properties" => { "count" => { "minimum" => "a", "pattern" => "(" } } })
    refute schema.valid_schema?
    texts = schema.validate_schema.map { |error| error.fetch("error") }
    assert(texts.any? { |text| text.include?("properties/count/minimum") })
    assert(texts.any? { |text| text.include?("properties/count/pattern") })
    assert schemer({ "minimum" => 1 }).valid_schema?
    refute JSONSchemer.valid_schema?({ "exclusiveMinimum" => true })
    assert JSONSchemer.valid_schema?({ "minimum" => 1, "exclusiveMinimum" => true }, meta_schema: JSONSchemer.draft4)
    assert_raises(Stanchion::SchemaError) { schemer({ "type" => 1 }).valid?(1) }
  end

  def test_options
    refute schemer({ "format" => "date" }).valid?("soon")
    assert schemer({ "format" => "date" }, format: false).valid?("soon")
    refute schemer('{"type": "string"}').valid?(1)
    assert schemer({ "$id" => "https://example.com/", "$ref" => "a", "$defs" => { "a" => { "$id" => "a", "type" => "string" } } }).valid?("x")
    error = assert_raises(ArgumentError) { schemer({}, ref_resolver: "net/http") }
    assert_includes error.message, "ref_resolver"
  end

  def test_what_could_not_be_checked_is_an_error
    # Backreferences need a budget.
    schema = schemer({ "pattern" => "^(a+)+\\1+b$" })
    data = "a" * 5_000
    refute schema.valid?(data)
    refute_empty schema.validate(data).to_a
  end
end
