package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// stage is a package while it is made: a folder with everything in it that is not in the
// source as it is packed.
type stage struct {
	maker
	row    row
	arch   string
	folder string
	pages  map[string]Program
}

// pack builds what is in the package, has nfpm pack it, and returns the name of the file.
func (s stage) pack(ctx context.Context) (string, error) {
	if err := os.MkdirAll(s.folder, 0o755); err != nil {
		return "", err
	}
	parts, err := s.programs(ctx)
	if err != nil {
		return "", err
	}
	if err := s.write("copyright", []byte(Copyright(s.edition.date.Year(), parts))); err != nil {
		return "", err
	}
	if err := s.describe(); err != nil {
		return "", err
	}
	if err := s.news(); err != nil {
		return "", err
	}
	return s.nfpm(ctx)
}

// programs builds the programs, and lists what is in them.
func (s stage) programs(ctx context.Context) ([]Part, error) {
	if s.row.programs == nil {
		return nil, nil
	}
	i := slices.IndexFunc(processors, func(p processor) bool { return p.debian == s.arch })
	if err := s.build(ctx, s.folder, processors[i].env, s.row.programs); err != nil {
		return nil, err
	}
	var built []string
	for _, p := range s.row.programs {
		built = append(built, filepath.Join(s.folder, p))
	}
	parts, err := Parts(Build{
		Root: s.root, Packages: sourcesOf(s.row.programs),
		Env: s.environment(processors[i].env),
	}, built...)
	if err != nil {
		return nil, err
	}
	of := Subject{Name: s.row.name, Version: s.edition.debian, Arch: s.arch, Date: s.edition.date}
	materials, err := Materials(of, parts)
	if err != nil {
		return nil, err
	}
	return parts, s.write("sbom.cdx.json", materials)
}

// describe writes manual and completion.
func (s stage) describe() error {
	for _, name := range s.row.programs {
		p := s.pages[name]
		for _, page := range p.Pages(Edition{Version: s.edition.version, Date: s.edition.date}) {
			if err := s.compress(filepath.Join("man", page.File), []byte(page.Text)); err != nil {
				return err
			}
		}
		if err := s.write(filepath.Join("completion", name), []byte(p.Completion())); err != nil {
			return err
		}
	}
	return nil
}

// changelog is Debian's, which names only the version; what changed is in NEWS.md.
const changelog = `%s (%s) stable; urgency=medium

  * Made from Sabot %s.
    NEWS.md.gz says what has changed for those who run it.

 -- Sabot <sabot-table@users.noreply.github.com>  %s
`

func (s stage) news() error {
	news, err := os.ReadFile(filepath.Join(s.root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	if err := s.compress("NEWS.md", news); err != nil {
		return err
	}
	text := fmt.Sprintf(changelog, s.row.name, s.edition.debian, s.edition.version,
		s.edition.date.Format(time.RFC1123Z))
	return s.compress("changelog", []byte(text))
}

// nfpm packs the stage.
func (s stage) nfpm(ctx context.Context) (string, error) {
	file := fmt.Sprintf("%s_%s_%s.deb", s.row.name, s.edition.debian, s.arch)
	config := filepath.Join("deploy", "package", s.row.name+".yaml")
	cmd := exec.CommandContext(ctx, "go", "tool", "nfpm", "package", "--packager", "deb", "--config", config,
		"--target", filepath.Join(s.out, file))
	cmd.Dir = s.root
	cmd.Env = append(os.Environ(), "BUILT="+s.folder, "VERSION="+s.edition.debian, "ARCH="+s.arch,
		fmt.Sprint("SOURCE_DATE_EPOCH=", s.edition.date.Unix()))
	if printed, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("nfpm: %w\n%s", err, printed)
	}
	return file, nil
}

// compress writes a text as gzip does with -9n: without a name and a time.
func (s stage) compress(name string, text []byte) error {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return s.write(name+".gz", packed.Bytes())
}

func (s stage) write(name string, content []byte) error {
	path := filepath.Join(s.folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}
