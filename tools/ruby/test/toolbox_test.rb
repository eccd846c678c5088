# frozen_string_literal: true

require_relative "helper"

class ToolboxTest < Minitest::Test
  TOOLS = [
    { name: "weather", inputSchema: { type: "object", properties: { city: { type: "string" }, days: { type: "integer", default: 3 } }, required: ["city"] },
      outputSchema: { type: "array", items: { type: "number" } } },
    { name: "bad", inputSchema: { type: "objetc" } },
  ].freeze

  def setup
    @tools = Stanchion::Toolbox.new(TOOLS)
  end

  def test_one_bad_tool_does_not_fail_the_others
    assert_equal 1, @tools.loaded["tools"]
    assert_equal ["bad"], @tools.loaded["refused"].map { |tool| tool["name"] }
    assert_match(/objetc/, assert_raises(ArgumentError) { @tools.definition("bad", "") }.message)
  end

  def test_calls
    assert_equal "weather", @tools.check_call({ name: "weather", arguments: { city: "Turin" } }, "2026-07-28")
    assert_equal({ "city" => "Turin", "days" => 3 }, @tools.fill_call('{"name": "weather", "arguments": {"city": "Turin"}}', ""))
    error = assert_raises(Stanchion::ToolError) { @tools.check_call({ name: "weather", arguments: { city: 1 } }, "2026-07-28") }
    assert_equal "arguments", error.kind
    assert_equal "/city", error.errors.first["instancePath"]
    assert error.result["isError"]
    refute error.undecided?
    assert_equal "malformed", assert_raises(Stanchion::ToolError) { @tools.check_call({ name: "gone" }, "") }.kind
    assert_equal "json", assert_raises(Stanchion::ToolError) { @tools.check_call("{", "") }.kind
    assert_raises(Stanchion::DataError) { @tools.check_call({ name: "weather", arguments: { city: Time } }, "") }
  end

  def test_both_wire_shapes
    envelope = { "type" => "object", "properties" => { "result" => { "type" => "array", "items" => { "type" => "number" } } }, "required" => ["result"] }
    ["", "2025-06-18", "2025-11-25"].each do |version|
      assert_equal envelope, @tools.definition("weather", version)["outputSchema"]
      assert_equal envelope, @tools.list(version)["tools"].first["outputSchema"]
      assert_equal({ "result" => [1] }, @tools.send_result("weather", version, { structuredContent: [1] })["structuredContent"])
    end
    ["2026-07-28", "2027-01-01"].each do |version|
      assert_equal "array", @tools.definition("weather", version).dig("outputSchema", "type")
      assert_equal [1], @tools.send_result("weather", version, { structuredContent: [1] })["structuredContent"]
    end
    assert_equal [1], @tools.check_result("weather", "2026-07-28", { content: [], structuredContent: [1] })["structuredContent"]
    assert_equal "result", assert_raises(Stanchion::ToolError) { @tools.send_result("weather", "", { structuredContent: ["x"] }) }.kind
    assert_raises(ArgumentError) { @tools.send_result("gone", "", {}) }
  end

  def test_lists_change
    assert_equal 2, @tools.add([{ name: "more", inputSchema: { type: "object" } }])["tools"]
    assert_equal 1, @tools.replace({ tools: [{ name: "more", inputSchema: { type: "object" } }] })["unchanged"]
    assert_raises(Stanchion::ParseError) { @tools.replace("[{") }
    assert_equal 1, @tools.loaded["tools"]
  end

  def test_profiles
    assert_equal "ruby", Stanchion::Toolbox.new(preset: "ruby").profile.fetch("words")
    assert_equal true, Stanchion::Toolbox.new([], assert_formats: true).profile.fetch("assertFormats")
    assert_raises(ArgumentError) { Stanchion::Toolbox.new([], preset: "perl") }
    assert_raises(Stanchion::ParseError) { Stanchion::Toolbox.new("{") }
  end

  def test_threads_and_ractors_share_it
    assert Ractor.shareable?(@tools)
    threads = 4.times.map { |number| Thread.new { 200.times.all? { @tools.check_call({ name: "weather", arguments: { city: number.to_s } }, "") == "weather" } } }
    assert(threads.all?(&:value))
  end
end
