package hook

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// answers on the wire. Members that are left out decide nothing.
type (
	specific struct {
		Specific specificOutput `json:"hookSpecificOutput"`
	}
	specificOutput struct {
		Event    string `json:"hookEventName"`
		Decision string `json:"permissionDecision,omitempty"`
		Reason   string `json:"permissionDecisionReason,omitempty"`
		Context  string `json:"additionalContext,omitempty"`
	}
	verdict struct {
		Decision string `json:"decision"`
		Reason   string `json:"reason"`
	}
)

// denied forbids the tool that is about to run.
func (c *call) denied(reason string) ([]byte, error) {
	if c.agent.answer == decision {
		return encode(verdict{"deny", reason})
	}
	return encode(specific{specificOutput{Event: c.name, Decision: "deny", Reason: reason}})
}

// added tells the agent something and decides nothing.
func added(event, text string) ([]byte, error) {
	return encode(specific{specificOutput{Event: event, Context: text}})
}

func encode(answer any) ([]byte, error) {
	data, err := json.Marshal(answer, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, fmt.Errorf("encoding the answer: %w", err)
	}
	return data, nil
}
