/** Why a tile file cannot be used, as the end of a sentence that begins with its name. */
export class BasemapFileError extends Error {
  override name = 'BasemapFileError'
}
