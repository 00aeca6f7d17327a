import { createHash, timingSafeEqual } from 'node:crypto'
import { hourMs } from '#contract/period.ts'
import type { DemoResponse, DemoRequest } from './demo-server.ts'

export const mdsError = (
  status: number,
  error: string,
  description: string,
  details: readonly string[] = [],
): DemoResponse => ({ status, body: { error, error_description: description, error_details: details } })

const hashText = (text: string): Buffer => createHash('sha256').update(text).digest()
/** Compares secrets in constant time. */
export const isSame = (received: string, expected: string): boolean =>
  timingSafeEqual(hashText(received), hashText(expected))

/** Reads the token of the Authorization header, or an empty string. */
export const readBearerToken = ({ headers }: DemoRequest): string =>
  /^Bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? ''

/** Returns whether a request accepts only another MDS version. */
export const requestsOtherVersion = ({ headers }: DemoRequest, version: string): boolean => {
  const requested = /version\s*=\s*"?([\d.]+)/.exec(headers['accept'] ?? '')?.[1]
  return requested !== undefined && requested !== version
}

/** Time after the end of an hour at which it is available. */
const readyMs = 120_000

/** Reads the hour (ms) of a query, or returns an error response. `lateMs`: extra delay of an hour. */
export function readHour(
  { query }: DemoRequest,
  name: string,
  nowMs: number,
  lateMs: (hour: number) => number = () => 0,
): number | DemoResponse {
  const text = query.get(name)
  if (text === null)
    return mdsError(400, 'missing_param', `A required parameter is missing: ${name}.`, [name])
  const hour = /^\d{4}-\d{2}-\d{2}T\d{2}$/.test(text) ? Date.parse(`${text}:00:00Z`) : Number.NaN
  if (Number.isNaN(hour))
    return mdsError(400, 'bad_param', `${name} must be an hour of UTC, as in 2026-01-31T17.`, [name])
  if (hour + hourMs > nowMs) return mdsError(404, 'not_found', 'This hour has not yet passed.', [name])
  return nowMs < hour + hourMs + readyMs + lateMs(hour) ? { status: 202 } : hour
}

/** Reads the span (ms) of a query, or returns an error response: if invalid or older than two weeks. */
export function readSpan(
  { query }: DemoRequest,
  nowMs: number,
): { from: number; until: number } | DemoResponse {
  for (const name of ['start_time', 'end_time'])
    if (!/^\d{10,15}$/.test(query.get(name) ?? ''))
      return mdsError(
        400,
        query.has(name) ? 'bad_param' : 'missing_param',
        `${name} must be a time in milliseconds.`,
        [name],
      )
  const [from, until] = [Number(query.get('start_time')), Math.min(Number(query.get('end_time')), nowMs)]
  if (from < nowMs - 14 * 24 * hourMs - hourMs)
    return mdsError(404, 'not_found', 'Only events of the last two weeks are available.', ['start_time'])
  return { from, until: until + 1 }
}

export const isResponse = <Value>(value: Value | DemoResponse): value is DemoResponse =>
  typeof value === 'object' && value !== null && 'status' in value

/** Returns the requested page of a list with JSON:API links to the other pages. */
export function paginate<Item>(
  request: DemoRequest,
  items: readonly Item[],
  size: number,
): { items: readonly Item[]; links: Record<'first' | 'last' | 'prev' | 'next', string | null> } {
  const pages = Math.max(1, Math.ceil(items.length / size))
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(request.query.get('page') ?? 1)) || 1))
  const makeLink = (to: number): string | null => {
    if (to < 1 || to > pages) return null
    const query = new URLSearchParams(request.query)
    query.set('page', String(to))
    return `${request.origin}${request.path}?${query.toString()}`
  }
  return {
    items: items.slice((page - 1) * size, page * size),
    links: { first: makeLink(1), last: makeLink(pages), prev: makeLink(page - 1), next: makeLink(page + 1) },
  }
}
