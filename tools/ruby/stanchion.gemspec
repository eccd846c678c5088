# frozen_string_literal: true

require_relative "lib/stanchion/version"

Gem::Specification.new do |spec|
  spec.name = "stanchion"
  spec.version = Stanchion::VERSION
  spec.summary = "A fast JSON Schema validator for schemas and data that nobody vouches for"
  spec.description = "Compiles JSON Schema (2020-12 and older drafts) and validates Ruby objects in place, within bounds. Native, in Rust."
  spec.authors = ["The Stanchion authors"]
  spec.licenses = ["MIT", "Apache-2.0"]
  spec.required_ruby_version = ">= 3.1"
  # `rust/` is there once `rake gem` has put the crates together.
  spec.files = Dir.chdir(__dir__) { Dir["lib/**/*.rb", "sig/*.rbs", "ext/**/*.rb", "rust/**/*", "*.md", "LICENSE-*"].select { |path| File.file?(path) } }
  spec.extensions = ["ext/stanchion/extconf.rb"]
  spec.require_paths = ["lib"]
end
