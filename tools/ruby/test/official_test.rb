# frozen_string_literal: true

require_relative "helper"

# The official suite, by objects and by text.
class OfficialTest < Minitest::Test
  DIALECTS = { "draft4" => "draft-04", "draft6" => "draft-06", "draft7" => "draft-07", "draft2019-09" => "2019-09", "draft2020-12" => "2020-12" }.freeze

  DIALECTS.each do |folder, dialect|
    { "" => false, "optional" => false, "optional/format" => true }.each do |section, formats|
      define_method("test_#{folder}_#{section.tr("/", "_")}") do
        files = Dir[File.join(Suite.official, "tests", folder, section, "*.json")].sort
        refute_empty files
        files.each { |path| run_file(path, dialect: dialect, assert_formats: formats) }
      end
    end
  end

  private

  def run_file(path, **options)
    Suite.parse(File.read(path)).each do |group|
      validator = Stanchion::Validator.new(group.fetch("schema"), references: "bundled", resources: Suite.remotes, **options)
      group.fetch("tests").each do |test|
        data = test.fetch("data")
        where = "#{path}: #{group["description"]}: #{test["description"]}"
        assert_equal test.fetch("valid"), validator.valid?(data), where
        assert_equal test.fetch("valid"), validator.each_error(data).none?, where
        assert_equal test.fetch("valid"), validator.valid_json?(JSON.generate(data, max_nesting: 0)), where
      end
    end
  end
end
