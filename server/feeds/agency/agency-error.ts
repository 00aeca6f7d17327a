import { problemId } from '#server/http/problem.ts'

/** An error as MDS tells it: its word, a sentence, and the fields that it is about. */
export class AgencyError extends Error {
  override name = 'AgencyError'
  readonly status: number
  readonly word: string
  readonly details: readonly string[]
  /** To quote when asking about it. */
  readonly id: string
  constructor(
    status: number,
    word: string,
    description: string,
    details: readonly string[] = [],
    id = problemId(),
  ) {
    super(description)
    this.status = status
    this.word = word
    this.details = details
    this.id = id
  }
}

export interface ErrorBody {
  error: string
  error_description: string
  error_details: readonly string[]
}

/** An answer that is an error: beside the fields of MDS, an id to quote. */
export const errorBody = ({ word, message, details, id }: AgencyError): ErrorBody & { id: string } => ({
  error: word,
  error_description: message,
  error_details: details,
  id,
})
