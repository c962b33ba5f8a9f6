// Command meter runs a program and prints what it took as one line of JSON. A
// process starts with the peak of memory of the one that starts it, so only a
// small one can measure that.
//
// The program reads meter's stdin; what it prints is thrown away, unless it
// fails.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"time"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("usage: meter COMMAND [ARGUMENT...]")
	}
	if err := run(os.Args[1:], os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(argv []string, out io.Writer) error {
	var said bytes.Buffer
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stderr = os.Stdin, &said
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if err != nil {
		return fmt.Errorf("%v: %s", err, bytes.TrimSpace(said.Bytes()))
	}
	state := cmd.ProcessState
	return json.NewEncoder(out).Encode(map[string]int64{
		"cpu_ns": int64(state.UserTime() + state.SystemTime()), "wall_ns": int64(wall), "peak_bytes": peak(state),
	})
}
