module vitae.internal/e2e

go 1.26.0

replace vitae.internal/proto => ../proto

require (
	vitae.internal/pkg v0.0.0
	vitae.internal/proto v0.0.0
)

replace vitae.internal/pkg => ../pkg
