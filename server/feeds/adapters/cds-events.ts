import { SourceKind } from '#contract/cds-events.ts'
import { hourMs } from '#contract/period.ts'
import type { CurbEvent } from '#server/curb/sessions/curb-event.ts'
import { formatEvent, readCdsEvent } from '#server/curb/sessions/read-cds-event.ts'
import { type Finding, noRecords } from '#server/fleet/events/feed-records.ts'
import { type Adapter, type AdapterFeed, type ReadResult, UnreadableBody } from './adapter.ts'
import { parseJson, decodeBody, isObject } from './response-body.ts'

/** Reads the setting `source_kind`: the source kind of events that do not name one. */
export const readSourceKind = (settings: Readonly<Record<string, unknown>>): SourceKind | undefined =>
  SourceKind.safeParse(settings['source_kind']).data

/** Reads the events of a list, with a finding for each error. */
export function readCdsEvents(
  list: readonly unknown[],
  { received, settings }: { received: number; settings: Readonly<Record<string, unknown>> },
): { events: CurbEvent[]; findings: Finding[] } {
  const events: CurbEvent[] = []
  const findings: Finding[] = []
  const sourceKind = readSourceKind(settings)
  for (const [index, item] of list.entries()) {
    const { event, problems, aheadMs } = readCdsEvent(item, { received, sourceKind })
    const eventId =
      isObject(item) && typeof item['event_id'] === 'string' ? item['event_id'].slice(0, 200) : String(index)
    const addFinding = (kind: Finding['kind'], field: string, reason: string): void => {
      findings.push({ kind, recordId: eventId, field, reason, raw: formatEvent(item) })
    }
    if (problems.length)
      addFinding(
        'schema',
        `events[${index}]${problems[0]?.field ? `.${problems[0].field}` : ''}`,
        `${problems.map(({ field, reason }) => `${field || 'The event'} ${reason}`).join('; ')}.${
          event ? ' The event is stored without it.' : ''
        }`,
      )
    if (!event) continue
    events.push(event)
    if (aheadMs)
      addFinding(
        'clock_skew',
        `events[${index}].event_time`,
        `The time is ${Math.round(aheadMs / 1000)} s ahead.`,
      )
  }
  return { events, findings }
}

/** Builds the URL of an hour (`YYYY-MM-DDTHH`, UTC), or of the most recent events if `hour` is ''. */
const buildUrl = (feed: AdapterFeed, hour: string): string => {
  const url = new URL(feed.url)
  url.pathname = `${url.pathname.replace(/\/events\/?$/, '').replace(/\/+$/, '')}/events`
  if (hour) url.searchParams.set('event_time', hour)
  return url.href
}

function read(feed: AdapterFeed, body: Uint8Array, received: number): ReadResult {
  const response = parseJson(decodeBody(body))
  const data = isObject(response) ? response['data'] : undefined
  const list = Array.isArray(data) ? data : isObject(data) ? data['events'] : undefined
  if (!Array.isArray(list)) throw new UnreadableBody('The response contains no list of CDS events.')
  const { events, findings } = readCdsEvents(list, { received, settings: feed.settings })
  const links = isObject(response) ? response['links'] : undefined
  const next = isObject(links) && typeof links['next'] === 'string' && links['next'] ? links['next'] : null
  return { records: { ...noRecords(), findings }, next, other: events }
}

/**
 * Events of the CDS Events API. Version 1.1 provides every hour, 1.0 only the last 60 minutes. Settings:
 * `source_kind`, for events that do not name theirs.
 */
export const cdsEvents: Adapter = {
  kind: 'cds_events',
  versions: ['1.1', '1.0'],
  isPersonal: true,
  streams: ({ version }) =>
    version === '1.0'
      ? [{ name: 'events', window: 'now' }]
      : [
          { name: 'recent', window: 'now' },
          { name: 'events', window: 'hour' },
        ],
  request(feed, stream, pullWindow) {
    const isHourly = stream === 'events' && feed.version !== '1.0'
    const hour = new Date(Math.floor(pullWindow.from / hourMs) * hourMs).toISOString().slice(0, 13)
    const headers = { accept: `application/vnd.cds+json;version=${feed.version}` }
    return { url: buildUrl(feed, isHourly ? hour : ''), headers }
  },
  read: (feed, _stream, body, received) => read(feed, body, received),
}
