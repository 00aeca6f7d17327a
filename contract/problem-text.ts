/**
 * Status and default text of every error code (those of the specification, and our own). Separate from
 * the schema of the body, because the sign-in page needs these texts but not zod.
 */
export const problems = {
  bad_request: { status: 400, text: 'Bad Request' },
  unauthorized: { status: 401, text: 'Unauthorized' },
  forbidden: { status: 403, text: 'Forbidden' },
  not_found: { status: 404, text: 'Not Found' },
  request_timeout: { status: 408, text: 'API Error' },
  conflict: { status: 409, text: 'API Error' },
  /** The resource was removed, or a link has expired. */
  gone: { status: 410, text: 'API Error' },
  too_large: { status: 413, text: 'API Error' },
  validation_error: { status: 422, text: 'Validation Error' },
  too_many_requests: { status: 429, text: 'API Error' },
  headers_too_large: { status: 431, text: 'API Error' },
  internal_server_error: { status: 500, text: 'Internal Server Error' },
  bad_gateway: { status: 502, text: 'Bad Gateway' },
  service_unavailable: { status: 503, text: 'Service Unavailable' },
  /** The requested data is being computed; the detail contains the progress. A later request succeeds. */
  being_prepared: { status: 503, text: 'Service Unavailable' },
  /** The server's disk is full; nothing was stored. */
  insufficient_storage: { status: 507, text: 'Insufficient Storage' },
} as const

export type ProblemCode = keyof typeof problems

/** Text for a status that is not in the table. */
export const defaultProblemText = 'API Error'

/** Returns the text to show: the server's detail if present, else the default text of the status. */
export function getProblemText(status: number, detail: string | undefined): string {
  if (detail) return detail
  return Object.values(problems).find((problem) => problem.status === status)?.text ?? defaultProblemText
}

/** Returns the message of anything that was thrown. */
export const getErrorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
