package seal_test

import (
	"fmt"
	"strings"

	"veilpath/internal/record/seal"
)

// A manifest that was edited does not match its seal.
func ExampleClose() {
	manifest, err := seal.Close([]byte(`{"verb": "study", "runs": 200, "seal": "` + seal.Open + `"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("as written:", seal.Check(manifest))
	edited := strings.Replace(string(manifest), "200", "400", 1)
	fmt.Println("edited:", seal.Check([]byte(edited)))
	// Output:
	// as written: <nil>
	// edited: its seal does not match, so it was edited by hand or damaged; restore it, or write it again
}
