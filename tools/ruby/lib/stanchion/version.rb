# frozen_string_literal: true

module Stanchion
  VERSION = "0.1.0"
end
