package main

import (
	"fmt"
	"strings"
)

// This file is the project that the demo works on.

const (
	listFile   = "prices.go"
	limitsFile = "limits.go"
	listLines  = 3000
)

// priceList returns a Go file of listLines lines, one price in each but for the
// head and the end.
func priceList() string {
	var b strings.Builder
	b.WriteString("package shop\n\n// Prices are in cents, by the number of the article.\nvar Prices = map[int]int{\n")
	for line := 5; line < listLines; line++ {
		article := 10_000 + line
		b.WriteString(row{article, 500 + article*7919%2000}.String())
	}
	b.WriteString("}\n")
	return b.String()
}

// row is one line of the price list.
type row struct{ article, cents int }

func (r row) String() string { return fmt.Sprintf("\t%d: %d,\n", r.article, r.cents) }

// parseRow reads a line of the price list.
func parseRow(line string) (row, error) {
	var r row
	_, err := fmt.Sscanf(strings.TrimSpace(line), "%d: %d,", &r.article, &r.cents)
	return r, err
}

// limits is a Go file that gofmt has not seen.
const limits = `package shop

// Currency is what prices are in.
const Currency = "EUR"

// What one order may hold.
const (
	MaxArticles = 50
	MaxWeight   = 30_000 // grams
	MaxUnpaid  = 3
)
`
