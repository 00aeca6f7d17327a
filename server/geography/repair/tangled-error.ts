/** Borders that cross so often that mending them would take minutes: no shape anyone drew. */
export class TangledError extends Error {
  constructor() {
    super('borders cross too often')
    this.name = 'TangledError'
  }
}
