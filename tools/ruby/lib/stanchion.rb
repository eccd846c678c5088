# frozen_string_literal: true

require "json"

require_relative "stanchion/version"
require_relative "stanchion/errors"
require_relative "stanchion/stanchion"
require_relative "stanchion/options"
require_relative "stanchion/validator"
require_relative "stanchion/mcp"
require_relative "stanchion/toolbox"

# A JSON Schema validator for schemas and data that nobody vouches for: every call ends within a bound.
module Stanchion
  class << self
    private :generate
  end

  # Whether an object conforms to a schema. Who asks twice keeps a Validator.
  def self.valid?(schema, data, **options)
    Validator.new(schema, **options).valid?(data)
  end
end
