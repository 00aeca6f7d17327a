import type { Facts } from '#server/stores/facts.ts'
import { type Adapter, type ReadResult, UnreadableBody } from '#server/feeds/adapters/adapter.ts'
import { noRecords } from '#server/fleet/events/feed-records.ts'

/** A fact store for tests of feeds, which store no facts. */
export const noFacts = {} as unknown as Facts
export const townKey = '0123456789abcdef'.repeat(4)

/** A minimal adapter for tests of pulls: `{"events": [{"id", "time"}], "next"}` by hour and of the present. */
export const plainAdapter: Adapter = {
  kind: 'mds_provider',
  versions: ['2.0'],
  streams: ({ settings }) =>
    (settings['streams'] as { name: string; window: 'hour' | 'now' | 'recent' | 'day' }[] | undefined) ?? [
      { name: 'events', window: 'hour' },
    ],
  request: ({ url }, stream, { from, until }) => ({
    url: `${url}/${stream}?from=${new Date(from).toISOString().slice(0, 13)}&until=${until}`,
    headers: { Accept: 'application/json' },
  }),
  readiness: (status) => (status === 202 ? 'not_yet' : status === 404 ? 'nothing' : undefined),
  read(feed, _stream, body): ReadResult {
    const text = Buffer.from(body).toString('utf8')
    if (!text.trimStart().startsWith('{')) throw new UnreadableBody('This is not valid JSON.')
    const {
      events = [],
      next = null,
      other,
    } = JSON.parse(text) as {
      events?: { id?: string; time: number }[]
      next?: string | null
      other?: unknown
    }
    const records = noRecords()
    for (const [index, { id, time }] of events.entries())
      if (id)
        records.events.push({
          operator: feed.operator,
          deviceId: 'd',
          eventId: id,
          time,
          state: 'available',
          types: ['service_start'],
          tripIds: [],
          lon: -72,
          lat: 41,
          accuracy: Number.NaN,
          battery: Number.NaN,
          published: 0,
        })
      else
        records.findings.push({
          kind: 'schema',
          recordId: '',
          field: `events[${index}].id`,
          reason: 'It is missing.',
          raw: '{}',
        })
    return { records, next, ...(other === undefined ? {} : { other }) }
  },
}

/** Returns the body of an operator's response to `plainAdapter`. */
export const plainBody = (
  ids: readonly (string | null)[],
  options: { next?: string; time?: number; other?: unknown } = {},
): string =>
  JSON.stringify({
    events: ids.map((id) => ({ ...(id === null ? {} : { id }), time: options.time ?? 1_780_000_000_000 })),
    next: options.next ?? null,
    ...(options.other === undefined ? {} : { other: options.other }),
  })
