# frozen_string_literal: true

module Stanchion
  # The tools of an MCP server: checks calls and results, and says how a client of a protocol version sees a tool.
  #
  # Versions are dates such as "2025-11-25"; an empty one is not known, and counts as old. Lists, params and results are Hashes and Arrays, or JSON text, which
  # keeps its digits. Answers are Hashes with Strings for keys. It is frozen, and threads and ractors may share it: what changes in it is locked.
  class Toolbox
    class << self
      # Takes an Array of tools, or the result of tools/list. Options are a profile: preset: "ruby", assert_formats:, limits: and every other choice of tools/mcp;
      # without any, the ways of the specification.
      def new(list = [], **profile)
        made = compile(list, Options.convert(profile))
        return made unless made.is_a?(String)

        raise Problem.exception(JSON.parse(made, max_nesting: false))
      end

      private :compile
    end

    # What became of the list that came last: "tools" (how many can be used), "unchanged", "isChanged", "refused" and "warnings".
    def loaded
      parse(loaded_json)
    end

    # Takes another list in place of what is there. Tools that did not change are not compiled again.
    def replace(list)
      demand(replace_json(list))
    end

    # Takes the next page of a list, beside what is there.
    def add(list)
      demand(add_json(list))
    end

    # The result of tools/list for a client with that protocol version.
    def list(version)
      demand(list_json(version))
    end

    # The definition of a tool for a client with that protocol version. ArgumentError if there is none, with the reason if it was refused.
    def definition(name, version)
      outcome(definition_json(name, version))
    end

    # Raises ToolError if the params of tools/call do not conform. Returns the name of the tool.
    def check_call(params, version)
      outcome(check_call_json(params, version)).fetch("name")
    end

    # Like check_call; returns the arguments, with defaults of the schema filled in.
    def fill_call(params, version)
      outcome(fill_call_json(params, version))
    end

    # For a client: raises ToolError if the result of a tool does not conform. Returns the result, out of the envelope that an older server may have used.
    def check_result(name, version, result)
      outcome(check_result_json(name, version, result))
    end

    # For a server: raises ToolError if the result of a tool does not conform. Returns the result to send: with a text mirror where one is needed, in an envelope
    # for older clients.
    def send_result(name, version, result)
      outcome(send_result_json(name, version, result))
    end

    # All choices of the profile.
    def profile
      demand(profile_json)
    end

    def inspect
      "#<#{self.class} #{loaded["tools"]} tools>"
    end

    private :loaded_json, :replace_json, :add_json, :list_json, :definition_json, :check_call_json, :fill_call_json, :check_result_json, :send_result_json,
            :profile_json

    private

    def parse(json)
      JSON.parse(json, max_nesting: false)
    end

    def demand(answer)
      status, json = answer
      status == :valid ? parse(json) : raise(Problem.exception({ "status" => status.to_s }.merge(parse(json))))
    end

    def outcome(answer)
      status, json = answer
      value = parse(json)
      return value if status == :valid

      raise status == :misuse ? Problem.exception(value) : ToolError.new(value)
    end
  end
end
