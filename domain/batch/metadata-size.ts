/** Most UTF-8 bytes of one call's metadata as JSON (docs/conformance.md, Batch calls: rows: 16 KB). */
export const maxMetadataBytes = 16 * 1024;

/** Whether a row's metadata is within the limit. */
export const metadataFits = (json: string): boolean =>
  // No character takes more than three bytes per UTF-16 unit: short texts need no counting.
  json.length * 3 <= maxMetadataBytes || Buffer.byteLength(json) <= maxMetadataBytes;
