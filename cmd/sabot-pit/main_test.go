package main

import (
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/rig"
)

var program = rig.Program{Name: "sabot-pit"}

func TestMain(m *testing.M) { program.Main(m) }
