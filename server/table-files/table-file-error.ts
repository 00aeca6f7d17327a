/** A received file cannot be read. The message is for the user who sent it. */
export class TableFileError extends Error {
  override name = 'TableFileError'
}
