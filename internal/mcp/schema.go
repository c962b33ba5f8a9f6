package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
)

// This file has the JSON Schemas of arguments and results as text: they are
// sent as they are, and nobody here compiles them.

type schema string

// member is a member of an object.
type member struct {
	name       string
	schema     schema
	isOptional bool
}

func must(name string, s schema) member { return member{name, s, false} }
func may(name string, s schema) member  { return member{name, s, true} }

// object returns the schema of objects with these members and no others.
func object(members ...member) schema {
	var properties, required []string
	for _, m := range members {
		name := string(quoted(m.name))
		properties = append(properties, name+":"+string(m.schema))
		if !m.isOptional {
			required = append(required, name)
		}
	}
	return schema(fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%s],"additionalProperties":false}`,
		strings.Join(properties, ","), strings.Join(required, ",")))
}

// said adds a description.
func (s schema) said(description string) schema {
	return s[:len(s)-1] + `,"description":` + schema(quoted(description)) + "}"
}

func (s schema) raw() json.RawMessage { return json.RawMessage(s) }

const (
	anyString  schema = `{"type":"string"}`
	anyBoolean schema = `{"type":"boolean"}`
	anyNumber  schema = `{"type":"number"}`
	anyObject  schema = `{"type":"object"}`
)

func aString(description string) schema  { return anyString.said(description) }
func aBoolean(description string) schema { return anyBoolean.said(description) }

// integer is a whole number; a most of 0 sets none.
func integer(least, most int) schema {
	if most == 0 {
		return schema(fmt.Sprintf(`{"type":"integer","minimum":%d}`, least))
	}
	return schema(fmt.Sprintf(`{"type":"integer","minimum":%d,"maximum":%d}`, least, most))
}

func list(of schema) schema     { return `{"type":"array","items":` + of + `}` }
func mapOf(of schema) schema    { return `{"type":"object","additionalProperties":` + of + `}` }
func nullOr(of schema) schema   { return `{"anyOf":[{"type":"null"},` + of + `]}` }
func either(a, b schema) schema { return `{"anyOf":[` + a + `,` + b + `]}` }

var (
	count = integer(0, 0)
	first = integer(1, 0)
	last  = integer(0, 0) // of no lines it is one less than the first

	lineRange = object(must("start_line", first), must("end_line", last))
	ranges    = list(lineRange)

	replaceText = object(
		must("old_text", aString("Text to replace, as it is in the file. Empty for a file that is empty or not there.")),
		must("new_text", aString("Text to put in its place.")),
		may("replace_all", aBoolean("Replace it wherever it is found.")))
	replaceLines = object(
		must("start_line", integer(1, 0).said("First line to replace.")),
		must("end_line", integer(0, 0).said("Last line to replace; start_line - 1 to insert before start_line.")),
		must("new_text", aString("Lines to put in their place. Empty to take them out.")))
)

// Results.
var (
	declarations = list(object(
		must("kind", anyString), must("name", anyString), must("start_line", first), must("end_line", last),
		may("read", object(must("path", anyString), must("start_line", first), must("end_line", last)).
			said("Arguments of the read_file that shows it."))))
	omissions = list(object(
		must("start_line", first), must("end_line", last), must("lines", count), must("characters", count),
		may("signatures", declarations)))

	metadataSchema = object(
		must("version", count), must("tool_name", anyString), must("was_truncated", anyBoolean),
		may("strategy_used", anyString), may("strategy", anyString), may("truncation_strategy", anyString),
		may("fallback_from", anyString),
		may("original_size", count.said("Characters, before secrets were masked.")),
		must("truncated_size", count.said("Characters of the content.")),
		must("omitted_characters", count),
		may("original_bytes", count), must("truncated_bytes", count),
		may("original_tokens", count), may("truncated_tokens", count),
		must("omitted_lines", count), may("omitted_elements", count), may("omitted_failure_lines", count),
		must("omission_summary", anyString), must("omissions", omissions),
		must("artifact_created", anyBoolean), may("artifact_id", anyString), may("retrieval_instructions", anyString),
		must("redaction_count", count), must("redactions", list(object(must("type", anyString), must("count", count)))),
		must("content_type", anyString), may("valid_json", anyBoolean), must("duration_ms", anyNumber))

	// A content that there is no room for twice is in the text alone.
	content = may("content", aString("The same as the first text, unless there is no room for it twice."))

	readResult = object(must("path", anyString), content,
		must("shown_ranges", ranges.said("Lines that are in the content whole, and count as read.")),
		must("total_lines", count), must("sha256", aString("Of the file, for expected_sha256.")),
		must("omissions", omissions), may("artifact_id", anyString), may("artifact_reference", anyString),
		must("metadata", metadataSchema))

	verdictResult = object(
		must("allowed", anyBoolean),
		must("blocks", list(object(must("path", anyString), must("reason", anyString), must("unread_ranges", ranges), must("message", anyString)))),
		must("warnings", list(object(must("path", anyString), must("code", anyString), must("message", anyString), must("changed_ranges", ranges)))),
		must("expanded", list(object(must("path", anyString), must("start_line", first), must("end_line", last),
			must("content", aString("The lines with their numbers; they count as read now."))))),
		must("applied", anyBoolean), may("failure_reason", anyString),
		must("sha256", mapOf(anyString).said("Of the files as they are now, by path.")))

	listResult    = processed(must("path", anyString), must("entries", count))
	searchResult  = processed(must("path", anyString), must("matches", count), must("more", aBoolean("There are more matches than these.")))
	diffResult    = processed()
	commandResult = processed(must("exit_status", integer(-1, 0)), may("signal", anyString), must("timed_out", anyBoolean))

	artifactResult = object(must("id", anyString), content,
		may("encoding", aString("base64 if it is no text.")),
		must("range", nullOr(object(must("start_line", last), must("end_line", last), must("start_byte", count), must("end_byte", count))).
			said("Where the content is in the artifact; null for what a query finds.")),
		must("total_lines", count), must("total_bytes", count),
		may("truncated", aBoolean("There was no room for all.")),
		may("values", count.said("That the content holds.")), may("found", count.said("By the query.")))

	artifactsResult = object(
		must("artifacts", list(object(must("id", anyString), must("size", count.said("Bytes.")), must("type", anyString),
			must("source", anyString), must("summary", anyString), must("created", anyString), must("uri", anyString)))),
		may("next_cursor", anyString))

	stateResult = object(must("session", anyString),
		must("files", list(object(must("path", anyString),
			must("state", `{"enum":["never_read","partial_read","fully_read","model_authored"]}`), must("stale", anyBoolean),
			must("read_ranges", ranges), must("unread_ranges", ranges), must("changed_ranges", ranges),
			must("total_lines", count), must("coverage", anyNumber), must("rounds", count)))),
		must("summary", anyString))
)

// processed is the result of a tool whose output goes through the hub.
func processed(own ...member) schema {
	return object(append([]member{
		content, must("is_error", anyBoolean), may("artifact_id", anyString), may("artifact_reference", anyString),
		must("metadata", metadataSchema),
	}, own...)...)
}
