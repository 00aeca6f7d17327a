import { randomUUID } from 'node:crypto'
import type { ProblemBody } from '#contract/problem.ts'
import { type ProblemCode, problems } from '#contract/problem-text.ts'

/** An error that the asker may read: code, what happened, and where in the ask. */
export class Problem extends Error {
  override name = 'Problem'
  readonly code: ProblemCode
  readonly issues: { path: string; message: string }[] | undefined
  /** Of a conflict: what is stored now. */
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

/** What to quote when asking about an error. */
export const problemId = (): string => randomUUID().slice(0, 8)

/** The body of an error answer with a fresh quotable id. */
export function problemBody(
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
    id: problemId(),
    ...(issues ? { issues } : {}),
    ...(current === undefined ? {} : { current }),
  }
}

/** A refusal that ends by itself: the caller may try again after some seconds. */
export class Busy extends Problem {
  override name = 'Busy'
  readonly retryAfter: number
  constructor(code: 'too_many_requests' | 'service_unavailable', detail: string, retryAfter: number) {
    super(code, detail)
    this.retryAfter = retryAfter
  }
}
