package assets_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"veilpath/assets"
)

func TestEveryPublishedNumberIsRead(t *testing.T) {
	files, err := os.ReadDir("published")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name, isTable := strings.CutSuffix(f.Name(), ".csv")
		if !isTable || name == "scalars" {
			continue
		}
		p, err := assets.OpenPublished(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, column := range p.Header {
			xs, ys, err := p.Curve(p.Header[0], column)
			if err != nil {
				t.Fatal(err)
			}
			k := 0
			for _, row := range p.Rows {
				if row[i] == "" {
					continue
				}
				var x, y float64
				if _, err := fmt.Sscan(row[0]+" "+row[i], &x, &y); err != nil || xs[k] != x || ys[k] != y {
					t.Errorf("%s, %s: read %v, %v where %v, %v is printed (%v)", name, column, xs[k], ys[k], row[0], row[i], err)
				}
				k++
			}
			if k == 0 || k != len(xs) || k != len(ys) {
				t.Errorf("%s, %s: %d points read, %d printed", name, column, len(xs), k)
			}
		}
	}
	if _, err := assets.OpenPublished("fig_ex4"); err == nil {
		t.Error("a table that is not there is read")
	}
}

func ExamplePublished_Curve() {
	p, err := assets.OpenPublished("fig_ex3_detection_distance_vs_eps")
	if err != nil {
		fmt.Println(err)
		return
	}
	epsilons, means, err := p.Curve("eps", "private_mean_detection_distance_km")
	fmt.Printf("%g: %.1f km .. %g: %.1f km, %v\n", epsilons[0], means[0], epsilons[len(epsilons)-1], means[len(means)-1],
		err)
	_, _, err = p.Curve("eps", "median")
	what, has, _ := strings.Cut(err.Error(), "; ")
	fmt.Printf("%s;\n%s\n", what, has)
	// Output:
	// 0.2: 45.5 km .. 4: 58.7 km, <nil>
	// assets: fig_ex3_detection_distance_vs_eps has no column median;
	// it has eps, private_mean_detection_distance_km, nonprivate_detection_distance_km
}
