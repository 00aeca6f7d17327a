/** Why a file of tiles cannot be drawn: the end of a sentence that begins with its name. */
export class BasemapFileError extends Error {
  override name = 'BasemapFileError'
}
