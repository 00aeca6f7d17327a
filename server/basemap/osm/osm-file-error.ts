/** Why an OpenStreetMap file cannot be read, in a whole sentence. */
export class OsmFileError extends Error {
  override name = 'OsmFileError'
}
