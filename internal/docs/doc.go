// Package docs holds nothing but tests: what is written for people is true. Examples decode strictly into the
// API types, links lead somewhere, and the page of reasons names every reason there is.
package docs
