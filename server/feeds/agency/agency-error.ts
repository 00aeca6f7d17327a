import { Problem, createProblemId } from '#server/http/problem.ts'

/** An error response of the MDS Agency API or of a CDS API. */
export class AgencyError extends Error {
  override name = 'AgencyError'
  /** The HTTP status. */
  readonly status: number
  /** The error code of the standard, such as `bad_param`. */
  readonly errorCode: string
  /** Usually the names of the fields that it is about. */
  readonly details: readonly string[]
  /** An id to quote in support requests. */
  readonly id = createProblemId()
  /** When to try again, seconds. */
  readonly retryAfter: number | null = null
  constructor(status: number, errorCode: string, description: string, details: readonly string[] = []) {
    super(description)
    this.status = status
    this.errorCode = errorCode
    this.details = details
  }

  /** Creates the response to an error that was logged under `id`. */
  static logged(
    status: number,
    errorCode: string,
    description: string,
    { id, retryAfter = null }: { id: string; retryAfter?: number | null },
  ): AgencyError {
    return Object.assign(new AgencyError(status, errorCode, description, [id]), { id, retryAfter })
  }
}

export interface ErrorBody {
  error: string
  error_description: string
  error_details: readonly string[]
}

/** Returns the body of an error response: the fields of the standard and the id. */
export const toErrorBody = ({
  errorCode,
  message,
  details,
  id,
}: AgencyError): ErrorBody & { id: string } => ({
  error: errorCode,
  error_description: message,
  error_details: details,
  id,
})

const keyErrorStatuses = { unauthorized: 401, forbidden: 403, too_many_requests: 429 } as const

/** Converts the Problem of a rejected API key or an exceeded rate limit; null for other errors. */
export function toKeyError(error: unknown): AgencyError | null {
  if (!(error instanceof Problem) || !(error.code in keyErrorStatuses)) return null
  const status = keyErrorStatuses[error.code as keyof typeof keyErrorStatuses]
  return new AgencyError(status, error.code, error.message, ['Authorization'])
}
