import { randomUUID } from 'node:crypto'
import type { ProblemBody } from '#contract/problem.ts'
import { type ProblemCode, problems } from '#contract/problem-text.ts'

/** An error for the client, with a code, a description and the invalid fields of the request. */
export class Problem extends Error {
  override name = 'Problem'
  readonly code: ProblemCode
  readonly issues: { path: string; message: string }[] | undefined
  /** The stored state, for conflicts. */
  readonly current: unknown
  constructor(
    code: ProblemCode,
    detail: string,
    issues?: { path: string; message: string }[],
    current?: unknown,
  ) {
    super(detail)
    this.code = code
    this.issues = issues
    this.current = current
  }
}

/** Returns an id that users quote when they report an error. */
export const createProblemId = (): string => randomUUID().slice(0, 8)

/** Creates the body of an error response, with a new id. */
export function createProblemBody(
  code: ProblemCode,
  detail: string,
  issues?: Problem['issues'],
  current?: unknown,
): ProblemBody {
  const { status, text } = problems[code]
  return {
    success: false,
    code,
    status,
    title: text,
    detail,
    id: createProblemId(),
    ...(issues ? { issues } : {}),
    ...(current === undefined ? {} : { current }),
  }
}

/** A temporary refusal: the client may retry after `retryAfter` seconds. */
export class Busy extends Problem {
  override name = 'Busy'
  readonly retryAfter: number
  constructor(code: 'too_many_requests' | 'service_unavailable', detail: string, retryAfter: number) {
    super(code, detail)
    this.retryAfter = retryAfter
  }
}
