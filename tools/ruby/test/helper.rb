# frozen_string_literal: true

require "minitest/autorun"
require "bigdecimal"
require "open3"
require "tmpdir"
require "stanchion"

# Files of the project that tests run through the gem.
module Suite
  ROOT = File.expand_path("../../..", __dir__)

  # The files of suite/data/wire, each an array of cases.
  def self.wire
    Dir[File.join(ROOT, "suite/data/wire/*.json")].sort.to_h { |path| [File.basename(path), parse(File.read(path))] }
  end

  # The folder of the official suite, which cargo unpacks from a package.
  def self.official
    @official ||= begin
      manifest = File.join(ROOT, "suite/official/Cargo.toml")
      metadata, = Open3.capture2("cargo", "metadata", "--locked", "--format-version", "1", "--manifest-path", manifest)
      package = parse(metadata).fetch("packages").find { |found| found.fetch("name") == "jsonschema" }
      File.join(File.dirname(package.fetch("manifest_path")), "tests/suite")
    end
  end

  # The calls of a set of suite/src/wire.rs, which also says what is in a script: "hostile" are all hostile schemas.
  def self.script(set)
    Dir.mktmpdir do |folder|
      file = File.join(folder, set)
      command = ["cargo", "run", "--release", "--quiet", "--package", "stanchion-wire", "--example", "script", "--", file, set]
      # The gem is a workspace of its own, and so is its folder of what was built.
      target = ENV.fetch("STANCHION_TARGET_DIR") { File.join(ROOT, "target") }
      _, status = Open3.capture2({ "CARGO_TARGET_DIR" => target }, *command, chdir: ROOT)
      raise "#{command.join(" ")} failed" unless status.success?

      read_script(File.binread(file))
    end
  end

  def self.read_script(bytes)
    at = 4
    text = lambda do
      length = bytes[at, 4].unpack1("V")
      at += 4 + length
      bytes[at - length, length].force_encoding("UTF-8")
    end
    bytes.unpack1("V").times.map do
      function, statuses = bytes[at, 2].unpack("CC")
      at += 19
      name, *texts, answer = 5.times.map { text.call }
      { function: function, statuses: statuses, name: name, texts: texts, answer: answer }
    end
  end

  # Schemas that tests refer to, by their URIs.
  def self.remotes
    @remotes ||= begin
      root = File.join(official, "remotes")
      own = ["draft4", "draft6", "draft7", "draft2019-09", "draft2020-12"]
      paths = Dir[File.join(root, "**/*.json")].map { |path| path.delete_prefix("#{root}/") }
      paths.reject! { |path| path.match?(/\A(draft|v1)/) && !own.include?(path.split("/").first) }
      paths.to_h { |path| ["http://localhost:1234/#{path}", parse(File.read(File.join(root, path)))] }
    end
  end

  def self.parse(text)
    JSON.parse(text, max_nesting: false)
  end
end
