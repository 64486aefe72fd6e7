package web

import "net/http"

// What another site of Sabot's takes from here: the pit's pages and the table's are of one make.

// BaseStyle is the address of the style sheet that every page begins with.
const BaseStyle = "/assets/base.css"

// Build names the assets and templates of this build.
func Build() string { return build }

// Asset serves the asset that a request's {name} names. Their addresses end with ? and the build: a browser may keep
// them for good.
func Asset(w http.ResponseWriter, r *http.Request) { files.Serve(w, r) }
