//go:build !race

package awareness_test

const raceEnabled = false
