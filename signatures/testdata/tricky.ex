defmodule Example.Cache do #= defmodule Example.Cache
  @moduledoc """
  defmodule No do
    def no, do: 1
  end
  """
  use GenServer
  @limit 10
  @type t :: map() #= @type Example.Cache.t
  @typep key :: atom() #= @typep Example.Cache.key
  defstruct [:size]

  # def no, do: 1
  def get(cache, key) when is_map(cache) do #= def Example.Cache.get()
    helper = fn x -> x end
    helper.(key)
  end

  def get(cache), do: cache #= def Example.Cache.get()
  defp hidden(), do: 1 #= defp Example.Cache.hidden()
  def empty?, do: true #= def Example.Cache.empty?()
  def size!(c), do: c #= def Example.Cache.size!()
  def a + b, do: a #= def Example.Cache.+()

  defmacro build(x) do #= defmacro Example.Cache.build
    quote do
      def generated(), do: unquote(x)
    end
  end

  defguard is_small(x) when x < 10 #= defguard Example.Cache.is_small
  defdelegate put(c), to: Other #= defdelegate Example.Cache.put()

  def unquote(name)(x), do: x

  defmodule Inner do #= defmodule Example.Cache.Inner
    def m, do: 1 #= def Example.Cache.Inner.m()
  end

  if Mix.env() == :test do
    def only_in_tests, do: 1 #= def Example.Cache.only_in_tests()
  end
end

defprotocol Size do #= defprotocol Size
  def size(data) #= def Size.size()
end

defimpl Size, for: List do #= defimpl Size
  def size(l), do: length(l) #= def Size.size()
end

text = ~S"""
def no, do: 1
"""
