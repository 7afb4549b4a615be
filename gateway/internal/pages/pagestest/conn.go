package pagestest

import (
	"context"
	"net/http"
	"path"
	"reflect"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/errs"
)

// conn is a fake connection to the auth and candidate services. It passes each call to the method
// of the same name on the Backend in the call's context, so tests can share one site.
type conn struct{}

type backendKey struct{}

// backendOf returns the Backend in the context of a Visitor's request.
func backendOf(ctx context.Context) *Backend {
	b, _ := ctx.Value(backendKey{}).(*Backend)
	return b
}

// With returns a handler whose calls to services go to b.
func With(b *Backend, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), backendKey{}, b)))
	})
}

func (conn) Invoke(ctx context.Context, method string, args, reply any, _ ...grpc.CallOption) error {
	b := backendOf(ctx)
	answer := reflect.ValueOf(b).MethodByName(path.Base(method))
	if b == nil || !answer.IsValid() {
		return errs.New(errs.Internal, "NOT_FAKED", "%s has no fake", method)
	}
	b.Mutex.Lock()
	defer b.Mutex.Unlock()
	if b.Fail != nil {
		return b.Fail
	}
	out := answer.Call([]reflect.Value{reflect.ValueOf(ctx), reflect.ValueOf(args)})
	if err, _ := out[1].Interface().(error); err != nil {
		return err
	}
	proto.Merge(reply.(proto.Message), out[0].Interface().(proto.Message))
	return nil
}

func (conn) NewStream(context.Context, *grpc.StreamDesc, string, ...grpc.CallOption) (grpc.ClientStream, error) {
	return nil, errs.New(errs.Internal, "NOT_FAKED", "streams have no fake")
}
