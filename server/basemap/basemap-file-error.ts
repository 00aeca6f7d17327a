/** A tile file cannot be used. The message is a clause without a period, for use after "…: ". */
export class BasemapFileError extends Error {
  override name = 'BasemapFileError'
}
