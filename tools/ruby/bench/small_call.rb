# frozen_string_literal: true

# What a small call costs, in CPU time: `rake bench`. If json_schemer is installed, it is measured beside.

require "stanchion"

SCHEMA = {
  "type" => "object",
  "properties" => {
    "city" => { "type" => "string", "minLength" => 1, "maxLength" => 80 },
    "days" => { "type" => "integer", "minimum" => 1, "maximum" => 14 },
    "units" => { "enum" => ["metric", "imperial"] },
    "details" => { "type" => "boolean" },
  },
  "required" => ["city"],
  "additionalProperties" => false,
}.freeze
DATA = { "city" => "San Francisco", "days" => 5, "units" => "metric", "details" => true }.freeze
WRONG = DATA.merge("days" => 0).freeze
TEXT = JSON.generate(DATA).freeze

def measure(what, count)
  count.times { yield }
  best = 5.times.map do
    start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
    at = 0
    while at < count
      yield
      at += 1
    end
    (Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start) / count
  end.min
  puts format("%-48s %9.3f µs", what, best * 1e6)
  best
end

raise "the verdicts are wrong" unless Stanchion.valid?(SCHEMA, DATA) && !Stanchion.valid?(SCHEMA, WRONG)

validator = Stanchion::Validator.new(SCHEMA)
symbols = DATA.transform_keys(&:to_sym)
measure("an empty block", 1_000_000) { nil }
measure("valid?, in place", 200_000) { validator.valid?(DATA) }
measure("valid?, in place, keys are symbols", 200_000) { validator.valid?(symbols) }
measure("valid_json?, #{TEXT.bytesize} bytes", 200_000) { validator.valid_json?(TEXT) }
measure("JSON.parse, to compare", 100_000) { JSON.parse(TEXT) }
measure("all errors of a wrong value", 20_000) { validator.each_error(WRONG) { |error| error } }
measure("compile, without the cache", 5_000) { Stanchion::Validator.new(SCHEMA, cache: false) }
measure("compile, from the cache", 20_000) { Stanchion::Validator.new(SCHEMA) }

begin
  # Which older versions of it forget.
  require "set"
  require "json_schemer"
  schemer = JSONSchemer.schema(SCHEMA)
  measure("json_schemer #{JSONSchemer::VERSION}, valid?", 5_000) { schemer.valid?(DATA) }
rescue LoadError
  puts "json_schemer is not installed"
end
