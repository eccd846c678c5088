# frozen_string_literal: true

require_relative "helper"

# Threads, ractors, fibers, garbage collection, and memory.
class RobustTest < Minitest::Test
  LIST = { "$ref": "#/$defs/node", "$defs": { node: { type: ["array", "integer"], items: { "$ref": "#/$defs/node" } } } }.freeze

  def setup
    @list = Stanchion::Validator.new(LIST)
  end

  def test_threads_share_a_validator
    threads = 8.times.map do |number|
      Thread.new { 500.times.all? { |at| @list.valid?([number, [at]]) && !@list.valid?(["x"]) && @list.valid_json?("[#{at}]") } }
    end
    assert(threads.all?(&:value))
  end

  def test_other_threads_run_while_a_long_text_is_read
    text = "[#{(["1"] * 2_000_000).join(",")}]"
    ticks = 0
    ticker = Thread.new do
      loop do
        ticks += 1
        Thread.pass
      end
    end
    before = ticks
    5.times { assert @list.valid_json?(text) }
    assert_operator ticks, :>, before
  ensure
    ticker&.kill
  end

  def test_ractors_share_a_validator
    assert Ractor.shareable?(@list)
    warned = $VERBOSE
    $VERBOSE = nil
    ractors = 2.times.map do
      Ractor.new(@list) { |list| 100.times.all? { |at| list.valid?([at]) && !list.valid?(["x"]) && list.each_error(["x"]).count == 1 } }
    end
    assert(ractors.all?(&:take))
  ensure
    $VERBOSE = warned
  end

  # A fiber has the smallest stack that Ruby code runs on.
  def test_the_deepest_value_in_a_fiber
    deep = 126.times.reduce([]) { |inner, _| [inner] }
    deepest = 126.times.reduce({}) { |inner, _| { a: inner } }
    objects = Stanchion::Validator.new({ "$ref": "#/$defs/a", "$defs": { a: { additionalProperties: { allOf: [{ "$ref": "#/$defs/a" }] } } } })
    fiber = Fiber.new { [@list.valid?(deep), objects.valid?(deepest), @list.each_error(deep).count] }
    assert_equal [true, true, 0], fiber.resume
  end

  def test_garbage_is_collected_at_any_time
    data = { "a" => [1, 2.5, "x", :y, nil, true, BigDecimal("1.5"), 2**70, "é".encode("ISO-8859-1")] }
    GC.stress = true
    validator = Stanchion::Validator.new({ properties: { a: { items: { type: ["number", "null"] } } } })
    refute validator.valid?(data)
    errors = validator.each_error(data).map(&:pointer)
    GC.stress = false
    assert_equal ["/a/2", "/a/3", "/a/5", "/a/8"], errors.sort
  ensure
    GC.stress = false
  end

  # In pages, without the noise of a heap that grows to its size at first.
  def memory
    GC.start
    Integer(File.read("/proc/self/statm").split[1])
  end

  def test_memory_is_steady
    skip "needs /proc" unless File.exist?("/proc/self/statm")
    rounds = Integer(ENV.fetch("STANCHION_ROUNDS", "200000"))
    compile = ->(at) { Stanchion::Validator.new({ properties: { "p#{at}" => { type: "string", pattern: "^a{#{at % 50}}$" } } }, cache: false) }
    calls = lambda do |at|
      validator = compile.call(at)
      5.times { validator.valid?({ "p#{at}" => "aaa" }) }
      validator.each_error({ "p#{at}" => 1 }).to_a if (at % 10).zero?
      @list.valid?([Time]) rescue Stanchion::DataError if (at % 10).zero?
    end
    (rounds / 10).times(&calls)
    before = memory
    rounds.times(&calls)
    grown = (memory - before) * 4096
    assert_operator grown, :<, 16 << 20, "#{grown} bytes for #{rounds} rounds"
  end

  # `hostile_test.rb` has those of the suite; these are by objects alone.
  def test_hostile_objects_end
    ladder = { "$defs": 30.times.to_h { |at| ["d#{at}", { anyOf: [{ "$ref": "#/$defs/d#{at + 1}" }, { "$ref": "#/$defs/d#{at + 1}" }] }] }.merge("d30" => { type: "string" }), "$ref": "#/$defs/d0" }
    refute Stanchion::Validator.new(ladder).valid?(1)
    assert_equal :invalid, Stanchion::Validator.new({ pattern: "^(a+)+$" }).verdict("#{"a" * 50_000}b")
    assert_raises(Stanchion::SchemaError) { Stanchion::Validator.new({ "$ref": "#" }) }
    assert_raises(Stanchion::SchemaError, Stanchion::DataError) { Stanchion::Validator.new(300.times.reduce({}) { |inner, _| { not: inner } }) }
    assert_raises(Stanchion::ParseError) { @list.valid_json?("[" * 1_000_000) }
    assert_includes [:valid, :undecided], Stanchion::Validator.new({ uniqueItems: true }).verdict((0..50_000).to_a)
  end
end
