#!/bin/sh
# Makes the namespace that Outdial works in; harmless when repeated. The workers register the search attributes.
set -eu
until temporal operator cluster health; do sleep 2; done
temporal operator namespace describe --namespace default ||
  temporal operator namespace create --namespace default --retention 168h
