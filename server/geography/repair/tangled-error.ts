/** Borders cross more often than those of drawn shapes, so that a repair would take minutes. */
export class TangledError extends Error {
  constructor() {
    super('borders cross too often')
    this.name = 'TangledError'
  }
}
