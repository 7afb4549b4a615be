package rest

import (
	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/gateway/internal/contract"
)

// shape is the envelope of the responses of a method (behaviour: requests#envelope).
type shape struct {
	data *fieldPlan
	// meta is the field with the paging; nil for a method without paging.
	meta *fieldPlan
}

func newShape(m contract.Method) (s *shape, err error) {
	s = &shape{}
	if s.data, err = planOfField(m.Data); err != nil || m.Paging == nil {
		return s, err
	}
	s.meta, err = planOfField(m.Paging)
	return s, err
}

func (s *shape) append(b []byte, m protoreflect.Message) ([]byte, error) {
	b, err := s.data.appendField(append(b, `{"data":`...), m)
	if err != nil {
		return nil, err
	}
	b = append(b, `,"error":null,"meta":`...)
	if s.meta == nil {
		return append(b, `null}`...), nil
	}
	if b, err = s.meta.appendField(b, m); err != nil {
		return nil, err
	}
	return append(b, '}'), nil
}
