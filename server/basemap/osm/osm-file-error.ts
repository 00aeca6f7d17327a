/** Why an OpenStreetMap file cannot be read, as a sentence. */
export class OsmFileError extends Error {
  override name = 'OsmFileError'
}
