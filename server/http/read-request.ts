import type { z } from 'zod'
import { type Endpoint, isMedia } from '#contract/endpoint.ts'
import { findJsonFault } from './find-json-fault.ts'
import { Problem } from './problem.ts'

function parse(shape: z.ZodType | undefined, value: unknown, where: string): unknown {
  if (!shape) return undefined
  const result = shape.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues.map((issue) => ({
    path: [where, ...issue.path].join('.'),
    message: issue.message,
  }))
  throw new Problem(
    'validation_error',
    issues
      .slice(0, 5)
      .map((issue) => `${issue.path}: ${issue.message}`)
      .join('; '),
    issues,
  )
}

/** What the first and the last day of a period are called in asks. */
const periods = [
  ['start_date', 'end_date'],
  ['startDate', 'endDate'],
] as const

/** Days are written YYYY-MM-DD: their order is that of their texts. */
function requireDaysInOrder(fields: unknown, where: string): void {
  if (typeof fields !== 'object' || fields === null) return
  for (const [start, end] of periods) {
    const { [start]: first, [end]: last } = fields as Record<string, unknown>
    if (typeof first !== 'string' || typeof last !== 'string' || first <= last) continue
    const message = `The period ends before it starts: ${last} is before ${first}.`
    throw new Problem('validation_error', `${where}.${end}: ${message}`, [
      { path: `${where}.${end}`, message },
    ])
  }
}

/** Checks params, query and body against the endpoint; throws a validation Problem that names each place, also where a period ends before it starts. */
export function readRequest(
  endpoint: Endpoint,
  given: { params: unknown; query: unknown; body: unknown },
): { params: unknown; query: unknown; body: unknown } {
  const { ask } = endpoint
  const fault =
    findJsonFault(given.params, 'path') ??
    findJsonFault(given.query, 'query') ??
    (ask.body && !isMedia(ask.body) ? findJsonFault(given.body, 'body') : null)
  if (fault) throw new Problem('validation_error', `${fault.path}: ${fault.message}`, [fault])
  const params = parse(ask.params, given.params, 'path')
  const query = parse(ask.query, given.query ?? {}, 'query')
  const body = isMedia(ask.body) ? given.body : parse(ask.body, given.body, 'body')
  requireDaysInOrder(query, 'query')
  // What is stored has rules of its own: a draft of a policy may still be wrong.
  if (endpoint.reads && !isMedia(ask.body)) requireDaysInOrder(body, 'body')
  return { params, query, body }
}
