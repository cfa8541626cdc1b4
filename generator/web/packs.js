// Packs: the length of an index in four bytes, the index in JSON ([[path, bytes], ...]), then the files, in gzip.

/**
 * What was packed.
 * @param {ArrayBuffer} data
 */
export function inflated(data) {
  return new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/**
 * The files of a pack, each its path and its bytes.
 * @param {ArrayBuffer} whole
 * @returns {Generator<[string, Uint8Array<ArrayBuffer>]>}
 */
export function* entries(whole) {
  const length = new DataView(whole).getUint32(0);
  let at = 4 + length;
  for (const [path, bytes] of JSON.parse(new TextDecoder().decode(new Uint8Array(whole, 4, length)))) {
    yield [path, new Uint8Array(whole, at, bytes)];
    at += bytes;
  }
}
