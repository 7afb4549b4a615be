package legacy

import (
	"net/http"

	"vitae.internal/gateway/internal/answer"
)

// envelope is the one of this interface. Code is ours: the specification has codes
// and no place for them (decision 131).
type envelope struct {
	Success bool   `json:"success"`
	Data    any    `json:"data,omitempty"`
	Message string `json:"message,omitempty"`
	Code    string `json:"code,omitempty"`
}

func succeed(w http.ResponseWriter, data any) {
	answer.WriteJSON(w, http.StatusOK, envelope{Success: true, Data: data})
}
