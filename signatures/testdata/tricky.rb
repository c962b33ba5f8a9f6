#!/usr/bin/env ruby
# def no; end
=begin
class No
end
=end
require "set"

module Example #= module Example
  LIMIT = 10 #= constant Example.LIMIT
  A, B = 1, 2 #= constant Example.A, constant Example.B
  class Cache < Base #= class Example.Cache
    INNER = 1
    attr_reader :size
    def initialize(size) = @size = size #= def Example.Cache.initialize()
    def self.open(path) #= def Example.Cache.open()
      def inner; end
      lambda { |x| x }
    end
    class << self
      def build; end #= def Example.Cache.build()
    end
    def [](key); end #= def Example.Cache.[]()
    def ==(other) #= def Example.Cache.==()
      true
    end
    def size=(n); end #= def Example.Cache.size=()
    def empty? = true #= def Example.Cache.empty?()
    private
    def secret; end #= def Example.Cache.secret()
    private def also_secret; end #= def Example.Cache.also_secret()
    public
    def shown; end #= def Example.Cache.shown()
    TEXT = <<~TEXT
      def no
      end
    TEXT
  end
  module_function
  def helper; end #= def Example.helper()
  if RUBY_VERSION > "3"
    def modern; end #= def Example.modern()
  end
end

class Example::Error < StandardError; end #= class Example::Error
class ::Top #= class Top
end
s = "class No; end"
t = %q{def no; end}
r = /def no/
def top(a, *b, &c) #= def top()
end
def obj.single; end #= def obj.single()
Point = Struct.new(:x) do #= constant Point
  def dist; end
end
__END__
def no; end
