// Each line on which a declaration starts names it behind "//=".
package tricky

import "fmt"

/* func Commented() {} */
// func AlsoCommented() {}

func Plain() {} //= func Plain()

func Locals() { //= func Locals()
	const local = 1
	var other = 2
	type inner struct{ A int }
	nested := func() {}
	fmt.Println(local, other, nested, inner{})
}

const raw = ` //= const raw
func InRawString() {}
type InRawString struct{}
`

var text = "func InString() {} // \" `" //= var text

var quote, tick = '"', '`' //= var quote, var tick

func Generic[K comparable, V any](m map[K]V) {} //= func Generic()

type Pair[A, B any] struct { //= type Pair
	First  A
	Second B
}

func (p *Pair[A, B]) Swap() {} //= func Pair.Swap()
func (Pair[A, B]) Named()   {} //= func Pair.Named()
func (_ *(Odd)) Wrapped()   {} //= func Odd.Wrapped()

type ( //
	Odd   int         //= type Odd
	Alias = string    //= type Alias
	Maker interface { //= type Maker
		Make() int
	}
	_ struct{}
)

const ( //
	one, two = iota, iota + 1 //= const one, const two
	_, three                  //= const three
)

var ( //
	a, b int //= var a, var b
	_    = a
)

func _() {}

func Ünïcode() {} //= func Ünïcode()

func init() {} //= func init()
func 日本()   {} //= func 日本()

func external(x int) int //= func external()

func Shift(x int) int { return x << 1 } //= func Shift()

func Last() { //= func Last()
	defer func() { type T int; const c = 1 }()
label:
	goto label
}
