"""Each line on which a declaration starts names it behind "#=".

def in_docstring(): pass
class InDocstring: pass
"""
import os

# def commented(): pass

MAX_SIZE = 10  #= constant MAX_SIZE
name, (first, *rest) = "", (1, 2)  #= variable name, variable first, variable rest
x = y = 0  #= variable x, variable y
typed: int = 3  #= variable typed
os.environ["X"] = "1"
os.path = None
x += 1
text = "class InString:" ' def also(): \' pass'  #= variable text
raw = r"\"; def raw(): pass"  #= variable raw
long = f"""  #= variable long
def in_fstring(): {x + 1}
class InFString: pass
"""
wrapped = [  #= variable wrapped
    1,
    # def in_brackets(): pass
]


def plain(a, b=")"):  #= def plain()
    local = 1

    def nested():
        pass

    class Local:
        pass


@decorated(
    lambda: None,
)
@twice
async def fetch():  #= def fetch()
    pass


def one_line(): x = 1; return x  #= def one_line()


class Empty: pass  #= class Empty


class Outer(Base, metaclass=type("M", (), {})):  #= class Outer
    """class InDocstring: pass"""
    attribute = 1

    def method(self):  #= def Outer.method()
        self.value = 1

    @property
    def value(self):  #= def Outer.value()
        def getter(): pass
        return self._value

    @value.setter
    def value(self, v):  #= def Outer.value()
        pass

    class Inner:  #= class Outer.Inner
        def deep(self):  #= def Outer.Inner.deep()
            pass

    if os.name == "nt":
        def conditional(self): pass  #= def Outer.conditional()

    async def coroutine(self): ...  #= def Outer.coroutine()


if os.name == "posix":
    def platform():  #= def platform()
        pass
    FLAG = True  #= constant FLAG
elif x:
    class Platform: pass  #= class Platform
else:
    fallback = 1  #= variable fallback

try:
    import json
except ImportError:
    json = None  #= variable json
finally:
    done = True  #= variable done

with open("f") as f:
    content = f.read()  #= variable content

for i in range(3):
    last = i  #= variable last

while x:
    def in_loop(): pass  #= def in_loop()


def größe(): pass  #= def größe()


def generic(a: list[int], *, b: dict[str, "class X: pass"] = {}) -> "def r(): pass":  #= def generic()
    pass


if __name__ == "__main__":
    main()
