package shell

import "fmt"

// Claims returns for each line of output which line of which file it is said
// to show, as "path:number", or "".
func Claims(dir, command, output string) []string {
	parsed, ok := parse(command)
	out := split(output)
	claims := make([]string, len(out))
	if !ok {
		return claims
	}
	r := run{dir: dir, files: files{left: maxRead}}
	for i, l := range align(r.list(parsed), out) {
		if l.path != "" {
			claims[i] = fmt.Sprintf("%s:%d", l.path, l.number)
		}
	}
	return claims
}
