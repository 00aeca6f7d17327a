import { SourceKind } from '#contract/cds-events.ts'
import type { CurbEvent } from '#server/curb/sessions/curb-event.ts'
import { eventText, readCdsEvent } from '#server/curb/sessions/read-cds-event.ts'
import type { Finding } from '#server/fleet/events/finding.ts'
import { noRecords } from '#server/fleet/events/feed-records.ts'
import { type Adapter, type AdapterFeed, type Read, UnreadableBody } from './adapter.ts'
import { answerJson, answerText, isObject } from './answer-body.ts'

const hourMs = 3_600_000

/** The source kind of a feed if its events have none, such as a check-in app. */
export const sourceKindOfFeed = (settings: Readonly<Record<string, unknown>>): SourceKind | undefined =>
  SourceKind.safeParse(settings['source_kind']).data

/** The events of a list, and a finding for each error. */
export function readCdsEvents(
  list: readonly unknown[],
  { received, settings }: { received: number; settings: Readonly<Record<string, unknown>> },
): { events: CurbEvent[]; findings: Finding[] } {
  const events: CurbEvent[] = []
  const findings: Finding[] = []
  const sourceKind = sourceKindOfFeed(settings)
  for (const [at, item] of list.entries()) {
    const { event, faults, aheadMs } = readCdsEvent(item, { received, sourceKind })
    const recordId =
      isObject(item) && typeof item['event_id'] === 'string' ? item['event_id'].slice(0, 200) : String(at)
    const finding = (kind: Finding['kind'], field: string, reason: string): void => {
      findings.push({ kind, recordId, field, reason, raw: eventText(item) })
    }
    if (faults.length)
      finding(
        'schema',
        `events[${at}]${faults[0]?.field ? `.${faults[0].field}` : ''}`,
        `${faults.map(({ field, reason }) => `${field || 'The event'} ${reason}`).join('; ')}.${
          event ? ' The event is stored without it.' : ''
        }`,
      )
    if (!event) continue
    events.push(event)
    if (aheadMs)
      finding(
        'clock_skew',
        `events[${at}].event_time`,
        `The time lies ${Math.round(aheadMs / 1000)} s ahead.`,
      )
  }
  return { events, findings }
}

const address = (feed: AdapterFeed, hour: string): string => {
  const url = new URL(feed.url)
  url.pathname = `${url.pathname.replace(/\/events\/?$/, '').replace(/\/+$/, '')}/events`
  if (hour) url.searchParams.set('event_time', hour)
  return url.href
}

function read(feed: AdapterFeed, body: Uint8Array, received: number): Read {
  const answer = answerJson(answerText(body))
  const data = isObject(answer) ? answer['data'] : undefined
  const list = Array.isArray(data) ? data : isObject(data) ? data['events'] : undefined
  if (!Array.isArray(list)) throw new UnreadableBody('The response holds no list of CDS events.')
  const { events, findings } = readCdsEvents(list, { received, settings: feed.settings })
  const links = isObject(answer) ? answer['links'] : undefined
  const next = isObject(links) && typeof links['next'] === 'string' && links['next'] ? links['next'] : null
  return { records: { ...noRecords(), findings }, next, other: events }
}

/**
 * Events of the CDS Events API: hour by hour in 1.1; 1.0 only has the last 60 minutes. Settings: `source_kind`, for feeds with events
 * that do not name it.
 */
export const cdsEvents: Adapter = {
  kind: 'cds_events',
  versions: ['1.1', '1.0'],
  isPersonal: true,
  streams: ({ version }) =>
    version === '1.0'
      ? [{ name: 'events', by: 'now' }]
      : [
          { name: 'recent', by: 'now' },
          { name: 'events', by: 'hour' },
        ],
  request: (feed, stream, pullWindow) => ({
    url: address(
      feed,
      stream === 'events' && feed.version !== '1.0'
        ? new Date(Math.floor(pullWindow.from / hourMs) * hourMs).toISOString().slice(0, 13)
        : '',
    ),
    headers: { accept: `application/vnd.cds+json;version=${feed.version}` },
  }),
  read: (feed, _stream, body, received) => read(feed, body, received),
}
