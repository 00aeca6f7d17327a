/** A received file that cannot be read, in a sentence for the person who sent it. */
export class TableFileError extends Error {
  override name = 'TableFileError'
}
