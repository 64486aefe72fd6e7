package main

import (
	"bytes"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// Subject is the package for which a bill of materials is written.
type Subject struct {
	Name, Version, Arch string
	// Date is when the source was committed.
	Date time.Time
}

// Materials writes the bill of materials of a package in CycloneDX's form as JSON. The same
// parts give the same bytes: it has no serial number, which would be drawn at random.
func Materials(of Subject, parts []Part) ([]byte, error) {
	main := cdx.Component{
		BOMRef: "pkg:deb/" + of.Name + "@" + of.Version + "?arch=" + of.Arch, Type: cdx.ComponentTypeApplication,
		Name: of.Name, Version: of.Version, Licenses: licences([]string{"Apache-2.0"}),
	}
	main.PackageURL = main.BOMRef
	components, refs := []cdx.Component{}, []string{}
	for _, p := range parts {
		c := p.component()
		components, refs = append(components, c), append(refs, c.BOMRef)
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Timestamp: of.Date.UTC().Format(time.RFC3339), Component: &main}
	bom.Components = &components
	bom.Dependencies = &[]cdx.Dependency{{Ref: main.BOMRef, Dependencies: &refs}}
	var out bytes.Buffer
	err := cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bom, cdx.SpecVersion1_6)
	return out.Bytes(), err
}

func (p Part) component() cdx.Component {
	c := cdx.Component{Type: cdx.ComponentTypeLibrary, Name: p.Path, Version: p.Version, Licenses: licences(p.names())}
	switch {
	case p.Path == standard || strings.Contains(p.Path, "/"):
		c.PackageURL = "pkg:golang/" + p.Path + "@" + p.Version
	default: // a script that is embedded
		c.PackageURL = "pkg:npm/" + strings.ToLower(p.Path) + "@" + p.Version
	}
	c.BOMRef = c.PackageURL
	if p.Sum != "" {
		c.Properties = &[]cdx.Property{{Name: "go:sum", Value: p.Sum}}
	}
	return c
}

func licences(names []string) *cdx.Licenses {
	list := cdx.Licenses{}
	for _, name := range names {
		list = append(list, cdx.LicenseChoice{License: &cdx.License{ID: name}})
	}
	return &list
}
