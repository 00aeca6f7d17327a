/** Why one record cannot be used: the end of a sentence that begins with its name ("Feature 12 …"). */
export class GeometryProblem extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'GeometryProblem'
    this.code = code
  }
}
