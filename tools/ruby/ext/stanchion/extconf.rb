# frozen_string_literal: true

# Builds the native half by cargo when the gem is installed. It needs Rust 1.88 and libclang.

require "mkmf"

root = File.expand_path("../..", __dir__)
# In a gem the crates are in a folder of it; in a checkout they are where they always are.
packed = File.join(root, "rust/tools/ruby")
root = packed if File.directory?(packed)
target = ENV.fetch("CARGO_TARGET_DIR", "$(CURDIR)/target")
abort "stanchion: cargo was not found; install Rust 1.88 or later" unless find_executable("cargo")

extension = RbConfig::CONFIG.fetch("DLEXT")
library = RbConfig::CONFIG.fetch("SOEXT")
prefix = library == "dll" ? "" : "lib"

File.write("Makefile", <<~MAKEFILE)
  TARGET = #{target}

  stanchion.#{extension}:
  \tRUBY="#{RbConfig.ruby}" cargo build --release --manifest-path "#{root}/Cargo.toml" --target-dir "$(TARGET)"
  \tcp "$(TARGET)/release/#{prefix}stanchion_ruby.#{library}" $@

  install: stanchion.#{extension}
  \tmkdir -p "$(DESTDIR)$(sitearchdir)/stanchion"
  \tcp stanchion.#{extension} "$(DESTDIR)$(sitearchdir)/stanchion/"

  clean:
  \trm -rf "$(CURDIR)/target" stanchion.#{extension}

  .PHONY: install clean

  sitearchdir = #{RbConfig::CONFIG.fetch("sitearchdir")}
MAKEFILE
