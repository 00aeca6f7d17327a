/** An OpenStreetMap file cannot be read. The message is a complete sentence. */
export class OsmFileError extends Error {
  override name = 'OsmFileError'
}
