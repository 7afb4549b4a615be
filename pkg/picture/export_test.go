package picture

// NewEncoderOf makes an Encoder whose pictures take at most so many bytes together.
var NewEncoderOf = newEncoder
