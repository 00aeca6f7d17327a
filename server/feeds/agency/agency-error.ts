/** An error as MDS tells it: its word, a sentence, and the fields that it is about. */
export class AgencyError extends Error {
  override name = 'AgencyError'
  readonly status: number
  readonly word: string
  readonly details: readonly string[]
  constructor(status: number, word: string, description: string, details: readonly string[] = []) {
    super(description)
    this.status = status
    this.word = word
    this.details = details
  }
}

export interface ErrorBody {
  error: string
  error_description: string
  error_details: readonly string[]
}

export const errorBody = ({ word, message, details }: AgencyError): ErrorBody => ({ error: word, error_description: message, error_details: details })
