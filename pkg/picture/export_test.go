package picture

// NewEncoderOf returns an Encoder whose pictures use at most this many bytes together.
func NewEncoderOf(most int64) *Encoder { return &Encoder{memory: newMemory(most)} }
