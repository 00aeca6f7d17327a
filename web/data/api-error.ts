import type { ProblemBody } from '#contract/problem.ts'
import { getProblemText } from '#contract/problem-text.ts'
import { translateServerText } from '#web/i18n/server-text.ts'

interface FailedCall {
  url: string
  method: string
  status: number
  statusText: string
  body: unknown
  request: unknown
}

const isProblem = (body: unknown): body is ProblemBody =>
  typeof body === 'object' && body !== null && 'detail' in body

/** Returns the body with its texts in the language of the user. */
const localize = (body: unknown): unknown =>
  isProblem(body)
    ? {
        ...body,
        detail: translateServerText(body.detail),
        ...(body.issues && {
          issues: body.issues.map((issue) => ({ ...issue, message: translateServerText(issue.message) })),
        }),
      }
    : body

/** A failed call. `status` is 0 if there was no response. */
export class ApiError extends Error implements FailedCall {
  override readonly name = 'ApiError'
  readonly url: string
  readonly method: string
  readonly status: number
  readonly statusText: string
  readonly body: unknown
  readonly request: unknown

  constructor(
    failure: FailedCall,
    message = translateServerText(
      getProblemText(failure.status, isProblem(failure.body) ? failure.body.detail : undefined),
    ),
  ) {
    super(message)
    this.url = failure.url
    this.method = failure.method
    this.status = failure.status
    this.statusText = failure.statusText
    this.body = localize(failure.body)
    this.request = failure.request
  }

  get problem(): ProblemBody | null {
    return isProblem(this.body) ? this.body : null
  }

  /** Id of the error, which users can quote to the operator of the server. */
  get id(): string | null {
    return this.problem?.id ?? null
  }

  /** Whether the requested data is still being computed; the message contains the progress. */
  get isPreparing(): boolean {
    return this.problem?.code === 'being_prepared'
  }

  /** Seconds until a retry, as requested by a busy server. */
  get retryAfter(): number | null {
    return this.problem?.retry_after ?? null
  }

  /** Whether the app itself canceled the request. */
  get isAborted(): boolean {
    return this.message === abortedText
  }
}

/** Message of requests that the app canceled. */
export const abortedText = 'Request aborted'

/** Path segments that only wrap the fields of a request. */
const wrapperSegments = ['body', 'query', 'path', 'settings']

const getFieldName = (path: string): string =>
  path.split('.').find((segment) => !wrapperSegments.includes(segment)) ?? ''

/** A message of a use case that starts with a field and a colon: `settings.maps: is empty`. */
const fieldMessagePattern = /^([a-z]\w*(?:\.\w+)*): (.+)$/i

/**
 * Returns the server's message per invalid field, by the name of the field: `body.settings.maps.0` becomes
 * `maps`. Errors of a use case start with the field name and a colon.
 */
export function getFieldIssues(error: ApiError | null | undefined): ReadonlyMap<string, string> {
  const problem = error?.problem
  if (!problem) return new Map()
  if (problem.issues?.length)
    return new Map(problem.issues.map(({ path, message }) => [getFieldName(path), message]))
  const [, path, message] = fieldMessagePattern.exec(problem.detail) ?? []
  return path && message ? new Map([[getFieldName(path), message]]) : new Map()
}

/** Logs an error that the user cannot fix, for the operator of the server. */
export const reportError = (message: string): void => console.error(message)
