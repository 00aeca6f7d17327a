import type { ProblemBody } from '#contract/problem.ts'
import { problemText } from '#contract/problem-text.ts'

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

/** Why a call failed. `status` is 0 when no answer came. */
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
    message = problemText(failure.status, isProblem(failure.body) ? failure.body.detail : undefined),
  ) {
    super(message)
    this.url = failure.url
    this.method = failure.method
    this.status = failure.status
    this.statusText = failure.statusText
    this.body = failure.body
    this.request = failure.request
  }

  get problem(): ProblemBody | null {
    return isProblem(this.body) ? this.body : null
  }

  /** What a user can quote to those who run the server. */
  get id(): string | null {
    return this.problem?.id ?? null
  }

  /** What was asked for is being worked on; the message says how far it is. */
  get isPreparing(): boolean {
    return this.problem?.code === 'being_prepared'
  }

  /** Seconds after which to try again, where a busy server says so. */
  get retryAfter(): number | null {
    return this.problem?.retry_after ?? null
  }

  get isAborted(): boolean {
    return this.message === abortedText
  }
}

export const abortedText = 'Request aborted'

/** What an ask is wrapped in: no field of its own. */
const wrapperSegments = ['body', 'query', 'path', 'settings']

const fieldName = (path: string): string =>
  path.split('.').find((part) => !wrapperSegments.includes(part)) ?? ''

/** What the server found wrong with which field, by the field's own name: `body.settings.maps.0` is `maps`. Refusals of a use case name it before a colon. */
export function fieldIssues(error: ApiError | null | undefined): ReadonlyMap<string, string> {
  const problem = error?.problem
  if (!problem) return new Map()
  if (problem.issues?.length)
    return new Map(problem.issues.map(({ path, message }) => [fieldName(path), message]))
  const match = /^([a-z]\w*(?:\.\w+)*): (.+)$/i.exec(problem.detail)
  return match?.[1] && match[2] ? new Map([[fieldName(match[1]), match[2]]]) : new Map()
}
