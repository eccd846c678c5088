# frozen_string_literal: true

require_relative "helper"

# Every hostile schema of the suite, by text and in place: each gets the status that the engine gives it.
class HostileTest < Minitest::Test
  STATUSES = [:valid, :invalid, :refused, :undecided, :not_json, :misuse].freeze
  NEW = 0
  CHECK = 1
  EXPLAIN = 3

  def test_all_of_them
    calls = Suite.script("hostile")
    assert_operator calls.size, :>, 1000
    validator = nil
    calls.each do |call|
      expected = STATUSES.select.with_index { |_, index| call[:statuses][index] == 1 }
      case call[:function]
      when NEW then validator = compile(call, expected)
      when CHECK then check(validator, call, expected)
      when EXPLAIN then explain(validator, call, expected)
      else flunk "no such call: #{call[:function]}"
      end
    end
  end

  private

  def compile(call, expected)
    options = JSON.parse(call[:texts][1]).transform_keys(&:to_sym)
    validator = Stanchion::Validator.new(call[:texts][0], **options)
    assert_includes expected, :valid, call[:name]
    validator
  rescue Stanchion::SchemaError
    assert_includes expected, :refused, call[:name]
    nil
  rescue Stanchion::ParseError
    assert_includes expected, :not_json, call[:name]
    nil
  end

  def check(validator, call, expected)
    return assert_includes(expected, :misuse, call[:name]) unless validator

    assert_includes expected, status { validator.verdict_json(call[:texts][0]) }, call[:name]
    assert_includes expected, status { validator.verdict(object(call[:texts][0])) }, "#{call[:name]}, in place"
  end

  def explain(validator, call, expected)
    return assert_includes(expected, :misuse, call[:name]) unless validator

    errors = validator.each_json_error(call[:texts][0]).to_a
    assert_equal expected == [:valid], errors.empty?, call[:name]
    assert_equal expected == [:not_json], errors.first.is_a?(Stanchion::ParseError), call[:name]
  end

  # A text and an object that cannot be read are alike here.
  def status
    yield
  rescue Stanchion::ParseError, Stanchion::DataError
    :not_json
  end

  def object(text)
    JSON.parse(text, max_nesting: false, decimal_class: BigDecimal)
  rescue JSON::ParserError
    raise Stanchion::ParseError, "not JSON"
  end
end
