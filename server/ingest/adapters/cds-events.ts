import { SourceKind } from '#contract/cds-events.ts'
import type { CurbEvent } from '#server/curb/sessions/curb-event.ts'
import { eventText, readCdsEvent } from '#server/curb/sessions/read-cds-event.ts'
import type { Finding } from '#server/mobility/fleet/finding.ts'
import { noRecords } from '#server/mobility/fleet/feed-records.ts'
import { type Adapter, type FeedAsked, type Read, UnreadableBody } from './adapter.ts'
import { answerJson, answerText, isObject } from './answer-body.ts'

const hourMs = 3_600_000

/** What a feed is, where its events do not say it, such as a check-in app. */
export const sourceKindOfFeed = (settings: Readonly<Record<string, unknown>>): SourceKind | undefined =>
  SourceKind.safeParse(settings['source_kind']).data

/** Events of a list, and a finding for what is wrong with each. */
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

const address = (feed: FeedAsked, hour: string): string => {
  const url = new URL(feed.url)
  url.pathname = `${url.pathname.replace(/\/events\/?$/, '').replace(/\/+$/, '')}/events`
  if (hour) url.searchParams.set('event_time', hour)
  return url.href
}

function read(feed: FeedAsked, body: Uint8Array, received: number): Read {
  const answer = answerJson(answerText(body))
  const data = isObject(answer) ? answer['data'] : undefined
  const list = Array.isArray(data) ? data : isObject(data) ? data['events'] : undefined
  if (!Array.isArray(list)) throw new UnreadableBody('The answer holds no list of CDS events.')
  const { events, findings } = readCdsEvents(list, { received, settings: feed.settings })
  const links = isObject(answer) ? answer['links'] : undefined
  const next = isObject(links) && typeof links['next'] === 'string' && links['next'] ? links['next'] : null
  return { records: { ...noRecords(), findings }, next, other: events }
}

/**
 * Events of the CDS Events API: hour by hour in 1.1, the last 60 minutes in 1.0, which cannot be asked for others. Settings:
 * `source_kind`: what the feed is, where its events do not say it.
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
  request: (feed, stream, piece) => ({
    url: address(
      feed,
      stream === 'events' && feed.version !== '1.0'
        ? new Date(Math.floor(piece.from / hourMs) * hourMs).toISOString().slice(0, 13)
        : '',
    ),
    headers: { accept: `application/vnd.cds+json;version=${feed.version}` },
  }),
  read: (feed, _stream, body, received) => read(feed, body, received),
}
