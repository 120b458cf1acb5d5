// Serves go-containerregistry's registry, in memory, at HOST:PORT, its argument; it lists referrers.
package main

import (
	"log"
	"net/http"
	"os"

	"github.com/google/go-containerregistry/pkg/registry"
)

func main() {
	log.Fatal(http.ListenAndServe(os.Args[1], registry.New(registry.WithReferrersSupport(true))))
}
