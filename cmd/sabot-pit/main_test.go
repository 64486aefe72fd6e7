package main

import (
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/rig"
)

func TestMain(m *testing.M) { rig.Main(m) }
