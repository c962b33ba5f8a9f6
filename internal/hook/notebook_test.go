package hook

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/text"
)

func TestParseCells(t *testing.T) {
	for _, test := range []struct {
		name, notebook string
		want           []cell
	}{
		{"none", `{"metadata":{"cells":[{"id":"x"}]}}`, nil},
		{"of another shape", `{"cells":{"source":"x"}}`, nil},
		{"a line each", "{\"cells\":[\n{\"id\":\"a\",\n\"source\":\"x\",\n\"n\":1},\n{\n \"source\" :\n [\n\"y\\n\",\"z\"\n ]\n}\n]}",
			[]cell{{"a", "x", 3, 3}, {"", "y\nz", 6, 9}}},
		{"CRLF and a lone CR", "{\"cells\":[\r\n{\"id\":\"a\",\r\"source\":\"x\"\r\n}]}", []cell{{"a", "x", 3, 3}}},
		{"with others on the line", `{"cells":[{"id":"a","source":"x"},{"source":["y"]}]}`, []cell{{"a", "x", 0, 0}, {"", "y", 0, 0}}},
		{"others behind", "{\"cells\":[{\n\"source\":\"x\", \"id\":\"a\"}]}", []cell{{"a", "x", 0, 0}}},
		{"others before", "{\"cells\":[{\n\"id\":\"a\", \"source\":\"x\"\n}]}", []cell{{"a", "x", 0, 0}}},
		{"no cells but values", `{"cells":[1,"x",[2],null]}`, make([]cell, 4)},
		{"source of no text", "{\"cells\":[{\n\"source\":5\n}]}", []cell{{"", "", 2, 2}}},
		{"names twice, not UTF-8", "{\"cells\":[{\n\"source\":\"\xff\",\n\"source\":\"x\"\n}]}", []cell{{"", "x", 3, 3}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := parseCells([]byte(test.notebook), text.Split(test.notebook))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(cell{})); diff != "" {
				t.Errorf("parseCells(%q) (-want +got):\n%s", test.notebook, diff)
			}
		})
	}
	for _, broken := range []string{"", "{", `{"cells":[`, `{"cells":[{`, `{"cells":[{"source":`, `{"cells":[}`, `{"cells":[{"id":5}]}`, "\x00"} {
		if cells, err := parseCells([]byte(broken), text.Split(broken)); err == nil {
			t.Errorf("parseCells(%q) = %v, want an error", broken, cells)
		}
	}
}

func TestFind(t *testing.T) {
	cells := []cell{{id: "a"}, {id: "1"}, {}}
	for id, want := range map[string]int{"a": 0, "1": 1, "cell-2": 2, "0": 0, "": -1, "cell-3": -1, "-1": -1, "#VSC": -1} {
		got, ok := find(cells, id)
		if ok != (want >= 0) || ok && got != cells[want] {
			t.Errorf("find(%q) = %v, %v, want cell %d", id, got, ok, want)
		}
	}
}
