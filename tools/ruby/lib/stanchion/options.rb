# frozen_string_literal: true

module Stanchion
  # Options as keywords of Ruby's become those of the contract that all bindings share: assert_formats is "assertFormats".
  module Options
    NESTED = ["limits", "messages"].freeze

    def self.convert(options)
      options.to_h do |name, value|
        name = camel(name)
        value = value.transform_keys { |inner| camel(inner) } if NESTED.include?(name) && value.is_a?(Hash)
        [name, value]
      end
    end

    # A message about options with the names that Ruby has for them.
    def self.in_ruby(message)
      message.gsub(%r{(?<=["/])[a-z]+(?:[A-Z][a-z]+)+\b}) { |name| name.gsub(/[A-Z]/) { |letter| "_#{letter.downcase}" } }
    end

    def self.camel(name)
      name.to_s.gsub(/_([a-z])/) { Regexp.last_match(1).upcase }
    end
    private_class_method :camel
  end
  private_constant :Options
end
