# frozen_string_literal: true

# The face of json_schemer on Stanchion, for programs that were written for that gem.
#
#   require "stanchion/json_schemer"    # before whatever requires "json_schemer"
#   require "mcp"                       # for instance the Ruby SDK of the Model Context Protocol
#
# From then on `require "json_schemer"` finds this face, also where the gem itself is not installed.

require_relative "../stanchion"

if defined?(JSONSchemer) && !JSONSchemer.const_defined?(:STANCHION)
  raise LoadError, "json_schemer is loaded already; require \"stanchion/json_schemer\" before it"
end

$LOAD_PATH.unshift(File.join(__dir__, "json_schemer"))
require "json_schemer"
