import { readXml, type XmlElement } from '#server/geography/read-xml.ts'
import type { IssueReport } from '#server/issues/issue-report.ts'
import { noRecords } from '#server/mobility/fleet/feed-records.ts'
import { fileReasons } from '../files/file-reasons.ts'
import { issueRecordReader, type IssueRecord } from '../issues/records-of.ts'
import { plainText, withoutContacts } from '../plain-text.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { type Adapter, type FeedAsked, type Piece, type Read, UnreadableBody } from './adapter.ts'
import { answerJson, answerText, isObject } from './answer-body.ts'

/** What the sink of Open311 takes. */
export type Open311Found =
  | { kind: 'requests'; issues: IssueReport[] }
  | { kind: 'services'; services: { code: string; name: string }[] }

const dayMs = 86_400_000
/** GeoReport v2: a list spans at most 90 days and holds at most 1,000 requests. */
const mostDays = 90
/** Servers end their lists at round numbers: one of just so many may be cut off. */
const fullCounts: readonly number[] = [50, 100, 200, 250, 500, 1000]

const setting = ({ settings }: FeedAsked, name: string): string =>
  typeof settings[name] === 'string' ? settings[name].trim() : ''
const timeText = (ms: number): string =>
  new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z')
const isXml = (feed: FeedAsked): boolean => setting(feed, 'format') === 'xml'

function address(feed: FeedAsked, path: string, query: Record<string, string>): string {
  const url = new URL(feed.url)
  // The address of one of its lists, or of its root.
  url.pathname = `${url.pathname.replace(/\/(requests|services|discovery)(\.\w+)?\/?$/, '').replace(/\/+$/, '')}/${path}.${isXml(feed) ? 'xml' : 'json'}`
  for (const [name, value] of Object.entries({ jurisdiction_id: setting(feed, 'jurisdiction_id'), ...query }))
    if (value) url.searchParams.set(name, value)
  return url.href
}

const requestsBetween = (feed: FeedAsked, from: number, until: number): string =>
  address(feed, 'requests', {
    service_code: setting(feed, 'service_code'),
    start_date: timeText(from),
    end_date: timeText(until),
  })

/** An element with its children as fields, as JSON would have it. */
const fieldsOf = ({ children }: XmlElement): IssueRecord =>
  Object.fromEntries(children.map((child) => [child.name, child.text]))

function xmlList(text: string): { records: IssueRecord[]; isErrors: boolean } {
  let root: XmlElement
  try {
    root = readXml(text)
  } catch (error) {
    throw new UnreadableBody(
      error instanceof Error ? error.message.replace('The file', 'The answer') : 'The answer is no XML.',
    )
  }
  if (/^html$/i.test(root.name)) throw new UnreadableBody('The answer is a web page, no list of Open311.')
  return { records: root.children.map(fieldsOf), isErrors: root.name === 'errors' }
}

function jsonList(text: string): { records: unknown[]; isErrors: boolean } {
  const body = answerJson(text)
  const list = Array.isArray(body)
    ? body
    : isObject(body)
      ? (Object.values(body).find(Array.isArray) as unknown[] | undefined)
      : undefined
  if (!list) throw new UnreadableBody('The answer holds no list of Open311.')
  return { records: list, isErrors: false }
}

/** The records of a list; an answer that only tells errors is refused in their words. */
function listIn(bytes: Uint8Array): unknown[] {
  const text = answerText(bytes)
  const { records, isErrors } = text.trimStart().startsWith('<') ? xmlList(text) : jsonList(text)
  const [first] = records
  const isError =
    isObject(first) &&
    'code' in first &&
    'description' in first &&
    !('service_request_id' in first) &&
    !('service_code' in first)
  if (isErrors || isError)
    throw new UnreadableBody(
      `The server answers an error: ${isObject(first) ? plainText(first['description'], 200) || plainText(first['code'], 20) : 'without words'}`,
    )
  return records
}

/** The next, narrower window where a list may be cut off: before its oldest request, or after its newest where it begins with the oldest. */
function nextWindow(
  feed: FeedAsked,
  issues: readonly IssueReport[],
  count: number,
  by: { from: number; until: number },
): string | null {
  const limit = Number(feed.settings['limit'])
  const isFull = limit > 0 ? count >= limit : fullCounts.includes(count) || count > 1000
  const [first, last] = [issues[0]?.requested, issues.at(-1)?.requested]
  if (!isFull || first === undefined || last === undefined) return null
  const times = issues.map(({ requested }) => requested)
  const [oldest, newest] = times.reduce(
    ([low, high], time) => [Math.min(low, time), Math.max(high, time)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  )
  // A whole window within one second cannot be narrowed.
  if (timeText(oldest) === timeText(newest)) return null
  return first < last
    ? requestsBetween(feed, newest, Math.max(by.until, newest))
    : requestsBetween(feed, Math.min(by.from, oldest), oldest)
}

/** The window in which a list was asked for, as its stream has it. */
function windowOf(
  feed: FeedAsked,
  stream: string,
  issues: readonly IssueReport[],
  received: number,
): { from: number; until: number } {
  if (stream !== 'history') return { from: received - recentDays(feed) * dayMs, until: received }
  const clock = civilClock(feed.timezone)
  const { day } = clock.local(issues[0]?.requested ?? received)
  const date = new Date(day * dayMs)
  const month = (later: number): number =>
    clock.instant(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1) / dayMs, 0).ms
  return { from: month(0), until: month(1) }
}

const recentDays = ({ settings }: FeedAsked): number =>
  Math.min(mostDays, Math.max(1, Number(settings['days']) || mostDays))

function readRequests(feed: FeedAsked, stream: string, bytes: Uint8Array, received: number): Read {
  const list = listIn(bytes)
  const records = noRecords()
  const reader = issueRecordReader(list, civilClock(feed.timezone), null)
  if (list.length && !reader)
    throw new UnreadableBody(
      'The answer is a list, but not of requests: it has no service_request_id, requested_datetime, status and service.',
    )
  const issues: IssueReport[] = []
  for (const [at, record] of list.entries()) {
    const found = reader?.read(record)
    if (!found) continue
    if ('reason' in found)
      records.findings.push({
        kind: 'schema',
        recordId: (isObject(record) && plainText(record['service_request_id'], 200)) || String(at),
        field: `requests[${at}]`,
        reason: `${fileReasons[found.reason]}${found.detail && ` (${found.detail})`}.`,
        raw: withoutContacts(JSON.stringify(reader?.retained(record) ?? {})).slice(0, 2000),
      })
    else issues.push(found)
  }
  return {
    records,
    next: nextWindow(feed, issues, list.length, windowOf(feed, stream, issues, received)),
    other: { kind: 'requests', issues } satisfies Open311Found,
  }
}

function readServices(bytes: Uint8Array): Read {
  const services = listIn(bytes)
    .filter(isObject)
    .map((each) => ({
      code: plainText(each['service_code'], 200),
      name: plainText(each['service_name'], 200),
    }))
    .filter(({ code, name }) => code && name)
  return { records: noRecords(), next: null, other: { kind: 'services', services } satisfies Open311Found }
}

/**
 * Open311 GeoReport v2, JSON or XML. The last days are asked for again and again, because only so it is heard that an older request was
 * closed; months further back once. Settings: `days` (90), `format` (`json`, `xml`), `jurisdiction_id`, `service_code` (several with
 * commas), `limit`: how many requests the server gives at most.
 */
export const openThreeOneOne: Adapter = {
  kind: 'open311',
  versions: ['v2'],
  streams: () => [
    { name: 'services', by: 'now', every: 86_400 },
    { name: 'requests', by: 'now' },
    { name: 'history', by: 'month' },
  ],
  request(feed, stream, piece: Piece) {
    const headers = { accept: isXml(feed) ? 'text/xml, application/xml' : 'application/json' }
    if (stream === 'services') return { url: address(feed, 'services', {}), headers }
    // `now`: both ends are the moment of the ask.
    const from = stream === 'history' ? piece.from : piece.until - recentDays(feed) * dayMs
    return { url: requestsBetween(feed, from, piece.until), headers }
  },
  // GeoReport v2: a server may say so where nothing lies in the window.
  standing: (status, stream) => (status === 404 && stream === 'history' ? 'nothing' : undefined),
  read: (feed, stream, body, received) =>
    stream === 'services' ? readServices(body) : readRequests(feed, stream, body, received),
}
