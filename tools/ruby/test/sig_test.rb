# frozen_string_literal: true

require_relative "helper"

# The signatures are valid, and have every public method and no other.
class SigTest < Minitest::Test
  def setup
    require "rbs"
  rescue LoadError
    skip "needs rbs, which comes with most installations of Ruby"
  end

  def environment
    loader = RBS::EnvironmentLoader.new
    loader.add(library: "bigdecimal")
    loader.add(path: Pathname(File.join(__dir__, "../sig")))
    RBS::Environment.from_loader(loader).resolve_type_names
  end

  def test_every_public_method_has_a_signature
    builder = RBS::DefinitionBuilder.new(env: environment)
    { "Validator" => Stanchion::Validator, "MCP::InputSchema" => Stanchion::MCP::InputSchema, "MCP::OutputSchema" => Stanchion::MCP::OutputSchema,
      "ValidationError" => Stanchion::ValidationError, "SchemaError" => Stanchion::SchemaError, "DataError" => Stanchion::DataError,
      "ParseError" => Stanchion::ParseError, "UndecidedError" => Stanchion::UndecidedError, "ToolError" => Stanchion::ToolError, "Toolbox" => Stanchion::Toolbox }.each do |name, type|
      *modules, last = name.split("::")
      path = [:Stanchion, *modules.map(&:to_sym)]
      type_name = RBS::TypeName.new(name: last.to_sym, namespace: RBS::Namespace.new(path: path, absolute: true))
      own = builder.build_instance(type_name).methods.select { |_, method| method.defs.any? { |found| found.implemented_in == type_name } }.keys
      actual = type.public_instance_methods(false) + type.included_modules.select { |found| found.name.to_s.start_with?("Stanchion") }.flat_map(&:public_instance_methods)
      assert_equal (actual - [:inspect]).sort, (own - [:initialize]).sort, name
    end
  end
end
