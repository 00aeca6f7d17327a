const KINDS: readonly (readonly [string, string])[] = [
  ['\x89PNG', 'a PNG image'],
  ['\xff\xd8\xff', 'a JPEG image'],
  ['GIF8', 'a GIF image'],
  ['%PDF', 'a PDF document'],
  ['Rar!', 'a RAR archive'],
  ['7z\xbc\xaf', 'a 7-Zip archive'],
  ['\x1f\x8b', 'a gzip archive'],
  ['II*\0', 'a TIFF image'],
]

/** Names a file that starts like something other than a boundary file, and says what to do; null when it may be one. */
export function whatFileIs(
  head: Uint8Array,
): { code: 'unknown-format' | 'shapefile-not-zipped'; text: string } | null {
  const start = String.fromCharCode(...head.subarray(0, 16))
  const [, kind] = KINDS.find(([signature]) => start.startsWith(signature)) ?? []
  if (kind !== undefined)
    return {
      code: 'unknown-format',
      text: `The file is ${kind}, whatever its name says. These are read: GeoJSON, zipped shapefile, KML, KMZ, GeoPackage, MDS Geography.`,
    }
  if (start.startsWith('\0\0\x27\x0a')) {
    return {
      code: 'shapefile-not-zipped',
      text: 'A shapefile is several files that belong together. Put the .shp, .dbf, .prj (and .cpg) files into one zip and send that.',
    }
  }
  return null
}
