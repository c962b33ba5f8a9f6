package awareness_test

import (
	"fmt"
	"strings"
)

// numbered returns the lines "line a" to "line b".
func numbered(a, b int) string {
	var s strings.Builder
	for n := a; n <= b; n++ {
		fmt.Fprintf(&s, "line %d\n", n)
	}
	return s.String()
}
