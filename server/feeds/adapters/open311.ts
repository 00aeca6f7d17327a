import { readXml, type XmlElement } from '#server/geography/boundary-files/read-xml.ts'
import type { IssueReport } from '#server/issues/issue-report.ts'
import { noRecords } from '#server/fleet/events/feed-records.ts'
import { fileReasons } from '#server/table-files/row-reasons.ts'
import { issueRecordReader, type IssueRecord } from '#server/issues/records/issue-records.ts'
import { plainText, withoutContacts } from '#server/table-files/plain-text.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { type Adapter, type AdapterFeed, type PullWindow, type Read, UnreadableBody } from './adapter.ts'
import { answerJson, answerText, isObject } from './answer-body.ts'

/** The content of an Open311 feed for its sink. */
export type Open311Found =
  | { kind: 'requests'; issues: IssueReport[] }
  | { kind: 'services'; services: { code: string; name: string }[] }

const dayMs = 86_400_000
/** GeoReport v2: a list spans at most 90 days and holds at most 1,000 requests. */
const maxDays = 90
/** Servers limit their lists to round numbers: one of exactly such a length may be truncated. */
const fullCounts: readonly number[] = [50, 100, 200, 250, 500, 1000]

const setting = ({ settings }: AdapterFeed, name: string): string =>
  typeof settings[name] === 'string' ? settings[name].trim() : ''
const timeText = (ms: number): string =>
  new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z')
const isXml = (feed: AdapterFeed): boolean => setting(feed, 'format') === 'xml'

function address(feed: AdapterFeed, path: string, query: Record<string, string>): string {
  const url = new URL(feed.url)
  // The address is that of one of its lists, or of its root.
  url.pathname = `${url.pathname.replace(/\/(requests|services|discovery)(\.\w+)?\/?$/, '').replace(/\/+$/, '')}/${path}.${isXml(feed) ? 'xml' : 'json'}`
  for (const [name, value] of Object.entries({ jurisdiction_id: setting(feed, 'jurisdiction_id'), ...query }))
    if (value) url.searchParams.set(name, value)
  return url.href
}

const requestsBetween = (feed: AdapterFeed, from: number, until: number): string =>
  address(feed, 'requests', {
    service_code: setting(feed, 'service_code'),
    start_date: timeText(from),
    end_date: timeText(until),
  })

/** An element with its children as fields, as in JSON. */
const fieldsOf = ({ children }: XmlElement): IssueRecord =>
  Object.fromEntries(children.map((child) => [child.name, child.text]))

function xmlList(text: string): { records: IssueRecord[]; isErrors: boolean } {
  let root: XmlElement
  try {
    root = readXml(text)
  } catch (error) {
    throw new UnreadableBody(
      error instanceof Error ? error.message.replace('The file', 'The response') : 'The response is not XML.',
    )
  }
  if (/^html$/i.test(root.name))
    throw new UnreadableBody('The response is a web page, not a list of Open311.')
  return { records: root.children.map(fieldsOf), isErrors: root.name === 'errors' }
}

function jsonList(text: string): { records: unknown[]; isErrors: boolean } {
  const body = answerJson(text)
  const list = Array.isArray(body)
    ? body
    : isObject(body)
      ? (Object.values(body).find(Array.isArray) as unknown[] | undefined)
      : undefined
  if (!list) throw new UnreadableBody('The response holds no list of Open311.')
  return { records: list, isErrors: false }
}

/** The records of a list; throws the server's message if the response contains only errors. */
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

/** The next, narrower window if a list may be truncated: before its oldest request, or after its newest if it is sorted from the oldest. */
function nextWindow(
  feed: AdapterFeed,
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
  // A full window within one second cannot be narrowed.
  if (timeText(oldest) === timeText(newest)) return null
  return first < last
    ? requestsBetween(feed, newest, Math.max(by.until, newest))
    : requestsBetween(feed, Math.min(by.from, oldest), oldest)
}

/** The window for which a list was requested. */
function windowOf(
  feed: AdapterFeed,
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

const recentDays = ({ settings }: AdapterFeed): number =>
  Math.min(maxDays, Math.max(1, Number(settings['days']) || maxDays))

function readRequests(feed: AdapterFeed, stream: string, bytes: Uint8Array, received: number): Read {
  const list = listIn(bytes)
  const records = noRecords()
  const reader = issueRecordReader(list, civilClock(feed.timezone), null)
  if (list.length && !reader)
    throw new UnreadableBody(
      'The response is a list, but not of requests: it has no service_request_id, requested_datetime, status and service.',
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
 * Open311 GeoReport v2, JSON or XML. The last days are requested again and again to find older requests that were closed; months further
 * back once. Settings: `days` (90), `format` (`json`, `xml`), `jurisdiction_id`, `service_code` (comma-separated), `limit`: the maximum
 * number of requests per response.
 */
export const openThreeOneOne: Adapter = {
  kind: 'open311',
  versions: ['v2'],
  streams: () => [
    { name: 'services', by: 'now', every: 86_400 },
    { name: 'requests', by: 'now' },
    { name: 'history', by: 'month' },
  ],
  request(feed, stream, pullWindow: PullWindow) {
    const headers = { accept: isXml(feed) ? 'text/xml, application/xml' : 'application/json' }
    if (stream === 'services') return { url: address(feed, 'services', {}), headers }
    // `now`: both ends are the moment of the request.
    const from = stream === 'history' ? pullWindow.from : pullWindow.until - recentDays(feed) * dayMs
    return { url: requestsBetween(feed, from, pullWindow.until), headers }
  },
  // GeoReport v2: a server may respond with 404 if a window is empty.
  readiness: (status, stream) => (status === 404 && stream === 'history' ? 'nothing' : undefined),
  read: (feed, stream, body, received) =>
    stream === 'services' ? readServices(body) : readRequests(feed, stream, body, received),
}
