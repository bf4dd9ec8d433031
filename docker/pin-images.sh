#!/bin/sh
# Writes docker-compose.pinned.yml: the images of docker-compose.yml, each by the digest that its registry has for it today.
# docker compose --file docker-compose.yml --file docker-compose.pinned.yml up --detach
set -eu
cd "$(dirname "$0")/.."
result=docker-compose.pinned.yml
unfinished=$(mktemp "$result.XXXXXX")
trap 'rm -f "$unfinished"' EXIT

digest_of() {
  found=$(docker buildx imagetools inspect "$1") || { echo "pin-images: the registry does not tell of $1" >&2; exit 1; }
  digest=$(printf '%s\n' "$found" | sed -n 's/^Digest: *\(sha256:[0-9a-f]\{64\}\)$/\1/p' | head -n 1)
  [ -n "$digest" ] || { echo "pin-images: no digest of $1" >&2; exit 1; }
}

# Name and image of each service; our own images are built here and in no registry.
images=$(awk '/^services:/ { inside = 1; next } /^[a-z]/ { inside = 0 }
  inside && /^  [a-z-]+:$/ { sub(/:$/, "", $1); service = $1 }
  inside && /^    image: / && $2 !~ /^outdial/ { print service, $2 }' docker-compose.yml)

echo 'services:' > "$unfinished"
while read -r service image; do
  digest_of "$image"
  printf '  %s:\n    image: %s@%s\n' "$service" "$image" "$digest" >> "$unfinished"
done <<LIST
$images
LIST
chmod 644 "$unfinished"
mv "$unfinished" "$result"

base=$(sed -n 's/^FROM \([^ ]*:[^ ]*\).*/\1/p' Dockerfile | sort -u)
for image in $base; do
  digest_of "$image"
  echo "For our own image, in the Dockerfile: FROM $image@$digest"
done
echo "Written: $result. Use it with: docker compose --file docker-compose.yml --file $result up --detach"
