import { createHash, timingSafeEqual } from 'node:crypto'
import type { DemoAnswer, DemoAsk } from './answer.ts'

/** An error as MDS tells it. */
export const mdsError = (
  status: number,
  error: string,
  description: string,
  details: readonly string[] = [],
): DemoAnswer => ({ status, body: { error, error_description: description, error_details: details } })

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
export const isSame = (given: string, wanted: string): boolean =>
  timingSafeEqual(digest(given), digest(wanted))

/** The token of an Authorization header; '' where there is none. */
export const bearerOf = ({ headers }: DemoAsk): string =>
  /^Bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? ''

/** Whether a request asks for another version than the one that is spoken. */
export const asksForOther = ({ headers }: DemoAsk, version: string): boolean => {
  const asked = /version\s*=\s*"?([\d.]+)/.exec(headers['accept'] ?? '')?.[1]
  return asked !== undefined && asked !== version
}

const hourMs = 3_600_000
/** An hour that is over is ready after so long. */
const readyMs = 120_000

/** The hour (ms) that a query names; an answer where it cannot be told. `lateMs`: by how much it is ready later than others. */
export function askedHour(
  { query }: DemoAsk,
  name: string,
  at: number,
  lateMs: (hour: number) => number = () => 0,
): number | DemoAnswer {
  const text = query.get(name)
  if (text === null)
    return mdsError(400, 'missing_param', `A required parameter is missing: ${name}.`, [name])
  const hour = /^\d{4}-\d{2}-\d{2}T\d{2}$/.test(text) ? Date.parse(`${text}:00:00Z`) : Number.NaN
  if (Number.isNaN(hour))
    return mdsError(400, 'bad_param', `${name} must be an hour of UTC, as in 2026-01-31T17.`, [name])
  if (hour + hourMs > at) return mdsError(404, 'not_found', 'This hour has not yet passed.', [name])
  return at < hour + hourMs + readyMs + lateMs(hour) ? { status: 202 } : hour
}

/** A span of ms that a query names; an answer where it cannot be told, or goes further back than two weeks. */
export function askedSpan({ query }: DemoAsk, at: number): { from: number; until: number } | DemoAnswer {
  for (const name of ['start_time', 'end_time'])
    if (!/^\d{10,15}$/.test(query.get(name) ?? ''))
      return mdsError(
        400,
        query.has(name) ? 'bad_param' : 'missing_param',
        `${name} must be a time in milliseconds.`,
        [name],
      )
  const [from, until] = [Number(query.get('start_time')), Math.min(Number(query.get('end_time')), at)]
  if (from < at - 14 * 24 * hourMs - hourMs)
    return mdsError(404, 'not_found', 'Recent events are those of the last two weeks.', ['start_time'])
  return { from, until: until + 1 }
}

export const isAnswer = <Value>(value: Value | DemoAnswer): value is DemoAnswer =>
  typeof value === 'object' && value !== null && 'status' in value

/** A page of a list, with links to the others as JSON:API has them. */
export function pageOf<Item>(
  ask: DemoAsk,
  items: readonly Item[],
  size: number,
): { items: readonly Item[]; links: Record<'first' | 'last' | 'prev' | 'next', string | null> } {
  const pages = Math.max(1, Math.ceil(items.length / size))
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(ask.query.get('page') ?? 1)) || 1))
  const link = (to: number): string | null => {
    if (to < 1 || to > pages) return null
    const query = new URLSearchParams(ask.query)
    query.set('page', String(to))
    return `${ask.origin}${ask.path}?${query.toString()}`
  }
  return {
    items: items.slice((page - 1) * size, page * size),
    links: { first: link(1), last: link(pages), prev: link(page - 1), next: link(page + 1) },
  }
}
