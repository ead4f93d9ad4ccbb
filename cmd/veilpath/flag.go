package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// checkFlags refuses flags that were given without a value. Such a value is mostly that of a shell variable
// that is not set, and to do as if the flag were not there would hide it.
func checkFlags(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && f.Value.Type() == "string" && f.Value.String() == "" {
			err = usageError{fmt.Errorf("--%s \"\": an empty value, perhaps of a variable that is not set; want %s, or leave the flag out", f.Name, wanted(f))}
		}
	})
	return err
}

// wanted names the value of a flag as its help does.
func wanted(f *pflag.Flag) string {
	if name, _ := pflag.UnquoteUsage(f); name != "string" {
		return name
	}
	return "a value"
}
