package legacy

import (
	"net/http"

	"vitae.internal/gateway/internal/answer"
)

// envelope is specified in (behaviour: legacy#legacy-envelope).
type envelope struct {
	Success bool   `json:"success"`
	Data    any    `json:"data,omitempty"`
	Message string `json:"message,omitempty"`
	Code    string `json:"code,omitempty"`
}

func succeed(w http.ResponseWriter, data any) {
	answer.WriteJSON(w, http.StatusOK, envelope{Success: true, Data: data})
}
