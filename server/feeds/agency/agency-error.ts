import { Problem, problemId } from '#server/http/problem.ts'

/**
 * An error response of the MDS Agency API or of a CDS API. `word`: the error code. `details`: the fields that
 * it is about.
 */
export class AgencyError extends Error {
  override name = 'AgencyError'
  readonly status: number
  readonly word: string
  readonly details: readonly string[]
  /** An id to quote in support requests. */
  readonly id = problemId()
  /** When to try again, seconds. */
  readonly retryAfter: number | null = null
  constructor(status: number, word: string, description: string, details: readonly string[] = []) {
    super(description)
    this.status = status
    this.word = word
    this.details = details
  }

  /** Returns the response to an error that was logged under `id`. */
  static logged(
    status: number,
    word: string,
    description: string,
    { id, retryAfter = null }: { id: string; retryAfter?: number | null },
  ): AgencyError {
    return Object.assign(new AgencyError(status, word, description, [id]), { id, retryAfter })
  }
}

export interface ErrorBody {
  error: string
  error_description: string
  error_details: readonly string[]
}

/** Returns the body of an error response: the fields of the standard and the id. */
export const toErrorBody = ({ word, message, details, id }: AgencyError): ErrorBody & { id: string } => ({
  error: word,
  error_description: message,
  error_details: details,
  id,
})

const keyErrorStatuses = { unauthorized: 401, forbidden: 403, too_many_requests: 429 } as const

/** Converts the error of a rejected API key or an exceeded rate limit; null for other errors. */
export function toKeyError(error: unknown): AgencyError | null {
  if (!(error instanceof Problem) || !(error.code in keyErrorStatuses)) return null
  const status = keyErrorStatuses[error.code as keyof typeof keyErrorStatuses]
  return new AgencyError(status, error.code, error.message, ['Authorization'])
}
