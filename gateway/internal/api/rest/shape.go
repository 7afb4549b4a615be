package rest

import (
	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/gateway/internal/contract"
)

// shape is the envelope of the answers of a method (behaviour: requests#envelope).
type shape struct {
	whole *plan
	// data is the field that becomes the data; nil for the whole answer.
	data *fieldPlan
	// meta is the field with the paging; nil for a method without paging.
	meta *fieldPlan
}

func newShape(m contract.Method) (*shape, error) {
	d := m.Descriptor.Output()
	s := &shape{}
	var err error
	if m.Data == nil {
		if s.whole, err = planOf(d); err != nil {
			return nil, err
		}
	} else if s.data, err = planOfField(m.Data); err != nil {
		return nil, err
	}
	if m.Paging != nil {
		if s.meta, err = planOfField(m.Paging); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *shape) append(b []byte, m protoreflect.Message) ([]byte, error) {
	b = append(b, `{"data":`...)
	var err error
	if s.data == nil {
		b, err = s.whole.append(b, m)
	} else {
		b, err = s.data.appendField(b, m)
	}
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
