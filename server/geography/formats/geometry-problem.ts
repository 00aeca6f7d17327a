/** A record cannot be used. The message completes a sentence that starts with the record ("Feature 12 …"). */
export class GeometryProblem extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'GeometryProblem'
    this.code = code
  }
}
