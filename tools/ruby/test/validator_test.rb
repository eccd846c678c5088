# frozen_string_literal: true

require_relative "helper"

class ValidatorTest < Minitest::Test
  TRIP = {
    type: :object,
    properties: { city: { type: "string", minLength: 1 }, days: { type: "integer", minimum: 1 } },
    required: [:city],
  }.freeze

  def setup
    @trip = Stanchion::Validator.new(TRIP)
  end

  def accepts(schema, data, **options)
    validator = Stanchion::Validator.new(schema, **options)
    by_object = validator.valid?(data)
    assert_equal by_object, validator.each_error(data).none?, "#{schema}: #{data.inspect}"
    by_object
  end

  def test_verdicts
    assert @trip.valid?({ city: "Turin", days: 3 })
    assert @trip.valid?({ "city" => "Turin" })
    refute @trip.valid?({ city: "" })
    assert_equal [:valid, :invalid], [@trip.verdict({ city: "Turin" }), @trip.verdict([])]
    assert Stanchion.valid?({ const: 1 }, 1.0)
  end

  def test_errors_are_exceptions_with_a_place
    error = assert_raises(Stanchion::ValidationError) { @trip.validate!({ city: "Turin", days: 0 }) }
    assert_equal ["/days", "minimum", "/properties/days/minimum"], [error.pointer, error.keyword, error.schema_pointer]
    assert_equal "/days: 0 is less than the minimum 1", error.message
    assert_equal 1, error.params["limit"]
    data = { city: "Turin" }
    assert_same data, @trip.validate!(data)
    assert_equal ["required", "minimum"], @trip.each_error({ days: 0 }).map(&:keyword).sort.reverse
    assert_includes @trip.errors_for_model({ days: 0 }), "city"
    assert_operator @trip.errors_for_model({ days: 0 }, max_characters: 10).size, :<=, 10
    assert_equal "", @trip.errors_for_model({ city: "Turin" })
  end

  def test_text
    assert @trip.valid_json?('{"city": "Turin"}')
    refute @trip.valid_json?('{"city": 1}')
    assert_equal "/city", assert_raises(Stanchion::ValidationError) { @trip.validate_json!('{"city": 1}') }.pointer
    error = assert_raises(Stanchion::ParseError) { @trip.valid_json?("{\n\"city\"") }
    assert_equal 2, error.line
    assert_raises(Stanchion::ParseError) { @trip.valid_json?("\"\xff\"") }
    assert_includes @trip.json_errors_for_model("{}"), "city"
  end

  def test_schemas
    assert accepts('{"type": "string"}', "a")
    assert accepts(true, 1)
    refute accepts(false, 1)
    # No keyword refuses it, and it is about the value all the same.
    assert_equal "", assert_raises(Stanchion::ValidationError) { Stanchion::Validator.new(false).validate!(1) }.keyword
    error = assert_raises(Stanchion::SchemaError) { Stanchion::Validator.new({ properties: { a: { type: "strin" } } }) }
    assert_equal ["/properties/a/type", "type"], [error.pointer, error.keyword]
    assert_includes error.message, "did you mean \"string\""
    assert_raises(Stanchion::ParseError) { Stanchion::Validator.new("{") }
    assert_raises(Stanchion::SchemaError) { Stanchion::Validator.new({ "$ref": "https://example.com/a" }) }
    assert_equal [], Stanchion::Validator.diagnose(TRIP).fetch("errors")
  end

  def test_options
    assert accepts({ format: "date" }, "soon")
    refute accepts({ format: "date" }, "soon", assert_formats: true)
    assert accepts({ format: "date" }, "soon", assert_formats: true, ignore_formats: ["date"])
    refute accepts({ items: [{ type: "string" }] }, [1], dialect: "draft-07")
    item = { "https://example.com/item" => { type: "string" } }
    refute accepts({ "$ref": "https://example.com/item" }, 1, references: "bundled", resources: item)
    error = assert_raises(Stanchion::SchemaError) { Stanchion::Validator.new({ items: { items: {} } }, limits: { depth: 1 }) }
    assert_includes error.message, "limit"
    assert_equal 1, Stanchion::Validator.new({ items: { type: "string" } }, limits: { errors: 1 }).each_error([1, 2]).grep(Stanchion::ValidationError).size
    error = Stanchion::Validator.new({ type: "string" }, messages: { mask_values: true }).each_error(4711).first
    refute_includes error.message, "4711"
  end

  def test_what_is_undecided_is_neither_valid_nor_invalid
    validator = Stanchion::Validator.new({ pattern: "^(a*)*\\1b$" }, limits: { steps: 100 })
    data = "a" * 1_000
    assert_equal :undecided, validator.verdict(data)
    refute validator.valid?(data)
    assert_equal "steps", assert_raises(Stanchion::UndecidedError) { validator.validate!(data) }.limit
    assert_equal :undecided, validator.verdict_json(JSON.generate(data))
  end

  def test_wrong_options_are_argument_errors_in_the_words_of_ruby
    error = assert_raises(ArgumentError) { Stanchion::Validator.new({}, assert_format: true) }
    assert_includes error.message, "did you mean \"assert_formats\""
    error = assert_raises(ArgumentError) { Stanchion::Validator.new({}, limits: { pattern_size: -1 }) }
    assert_includes error.message, "/limits/pattern_size"
  end

  def test_numbers_of_any_size_keep_their_digits
    big = 2**64 - 1
    assert accepts({ const: big }, big)
    refute accepts({ const: big }, big + 1)
    assert accepts({ maximum: big }, big)
    refute accepts({ maximum: big }, big + 1)
    assert accepts({ type: "integer", minimum: -(2**70) }, -(2**70))
    refute accepts({ uniqueItems: true }, [2**70, 2**70])
    assert accepts({ uniqueItems: true }, [2**70, 2**70 + 1])
    assert accepts({ multipleOf: BigDecimal("0.1") }, BigDecimal("1e-1") * 3)
    refute accepts({ const: BigDecimal("0.1") }, BigDecimal("0.10000000000000000000001"))
    assert accepts({ type: "integer" }, BigDecimal("3"))
    assert accepts({ const: 9_007_199_254_740_993 }, 9_007_199_254_740_993)
    refute accepts({ const: 9_007_199_254_740_993 }, 9_007_199_254_740_992)
    assert accepts({ const: 1 }, 1.0)
    assert accepts({ maximum: 1e300 }, 10**299)
    [Float::NAN, Float::INFINITY, BigDecimal("NaN"), BigDecimal("-Infinity")].each do |number|
      error = assert_raises(Stanchion::DataError) { @trip.valid?({ days: [number] }) }
      assert_equal "/days/0", error.pointer
    end
  end

  def test_symbols_and_strings
    assert accepts({ enum: [:a, "b"] }, "a")
    assert accepts({ enum: ["a", "b"] }, :b)
    assert accepts({ const: "é" }, :"é")
    assert accepts({ const: "é" }, "é".encode("ISO-8859-1"))
    assert accepts({ const: "ab" }, "ab".b)
    assert accepts({ maxLength: 1 }, "😀")
    assert accepts({ const: "a\0b" }, :"a\0b")
    dynamic = "dynamic#{rand(10**9)}".to_sym
    assert accepts({ required: [dynamic.to_s] }, { dynamic => 1 })
    ["\xff", "\xff".b, "\xd8\x00".dup.force_encoding("UTF-16BE")].each do |text|
      assert_raises(Stanchion::DataError) { @trip.valid?({ city: text }) }
    end
  end

  def test_keys
    assert accepts({ required: ["a"], additionalProperties: { type: "integer" } }, { :a => 1, "b" => 2 })
    # Of two keys with one text the last counts.
    assert accepts({ properties: { a: { const: 2 } }, maxProperties: 1 }, { :a => 1, "a" => 2 })
    error = assert_raises(Stanchion::DataError) { @trip.valid?({ city: { 1 => 2 } }) }
    assert_equal "/city", error.pointer
    assert_includes error.message, "Integer"
  end

  def test_structures
    @trip.valid?([{ city: "a" }.freeze].freeze)
    assert accepts({ items: { type: "object" } }, [Class.new(Hash).new, Class.new(Hash).new])
    assert accepts({ type: "array" }, Class.new(Array).new)
    assert accepts({ const: "a" }, Class.new(String).new("a"))
    hash = {}
    hash[:self] = hash
    error = assert_raises(Stanchion::DataError) { @trip.valid?(hash) }
    assert_includes error.message, "contain itself"
    # A few arrays that contain each other many times.
    wide = 24.times.reduce([1]) { |inner, _| [inner, inner] }
    assert_raises(Stanchion::DataError) { @trip.valid?(wide) }
    deep = 126.times.reduce([]) { |inner, _| [inner] }
    assert accepts({ "$ref": "#/$defs/a", "$defs": { a: { type: "array", items: { "$ref": "#/$defs/a" } } } }, deep)
  end

  def test_nothing_is_converted
    [Time.now, Object.new, 1r, 1i, 1..2, Struct.new(:a).new(1), BasicObject].each do |object|
      error = assert_raises(Stanchion::DataError) { @trip.valid?({ "a/b~" => [object] }) }
      assert_equal "/a~1b~0/0", error.pointer
    end
  end

  def test_no_method_of_a_subclass_is_called
    refuse = Module.new do
      [:each, :each_pair, :[], :size, :to_s, :to_str, :to_h, :hash, :keys].each { |name| define_method(name) { |*| raise "#{name} was called" } }
    end
    hash, array, string = [Hash, Array, String].map { |type| Class.new(type) { prepend refuse } }
    assert @trip.valid?(hash.new.update("city" => string.new("a"), "more" => array.new([1])))
  end
end
