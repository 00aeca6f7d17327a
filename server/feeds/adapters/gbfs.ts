import { noRecords } from '#server/fleet/events/feed-records.ts'
import type { GbfsPart } from '../gbfs/gbfs-part.ts'
import { timeOf } from '../gbfs/gbfs-value.ts'
import { readDiscovery } from '../gbfs/read-discovery.ts'
import { readGbfs } from '../gbfs/read-gbfs.ts'
import { findingOf } from '../mds/finding-of.ts'
import { type Adapter, type AdapterFeed, type Read, UnreadableBody } from './adapter.ts'
import { answerObject, answerText, isObject } from './answer-body.ts'

/** Seconds between two requests of files that change rarely; vehicles and stations follow the feed's own interval. */
const everySeconds: Readonly<Record<string, number | undefined>> = {
  vehicle_status: undefined,
  free_bike_status: undefined,
  station_status: undefined,
  system_alerts: 300,
  geofencing_zones: 900,
}
const defaultSeconds = 3600

/** A clock may be ahead by this much. */
const maxAheadMs = 5 * 60_000

const setting = ({ settings }: AdapterFeed, name: string): string =>
  typeof settings[name] === 'string' ? settings[name] : ''

/** Addresses of a feed's files: as its administrator set them (`urls`), else from its gbfs.json (`discovered`, stored by the sink). */
function urlsOf({ settings }: AdapterFeed): Map<string, string> {
  const found = [settings['discovered'], settings['urls']]
    .filter(isObject)
    .flatMap((urls) => Object.entries(urls))
  return new Map(
    found.filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[0] !== 'discovery',
    ),
  )
}

function readPart(feed: AdapterFeed, stream: string, bytes: Uint8Array, received: number): Read {
  const body = answerText(bytes)
  const whole = answerObject(body)
  const data = whole['data']
  if (!isObject(data)) throw new UnreadableBody('The response is JSON, but not of GBFS: it has no “data”.')
  const records = noRecords()
  const reported = timeOf(whole['last_updated'])
  const isAhead = reported > received + maxAheadMs
  if (isAhead)
    records.findings.push(
      findingOf(
        'clock_skew',
        '',
        'last_updated',
        'The time of the file lies after its receipt; the receipt counts.',
        whole['last_updated'],
      ),
    )
  const lastUpdated = Number.isNaN(reported) ? null : reported
  const language = setting(feed, 'language').toLowerCase() || 'en'
  if (stream === 'discovery') {
    const found = readDiscovery(data, {
      base: feed.url,
      language,
      version: feed.version,
      systemId: setting(feed, 'system_id'),
    })
    if ('next' in found) return { records, next: found.next }
    if (!found.feeds.length) throw new UnreadableBody('The response names no files of GBFS.')
    return {
      records,
      next: null,
      other: { endpoint: 'gbfs', body, lastUpdated, kind: 'discovery', ...found } satisfies GbfsPart,
    }
  }
  const content = readGbfs(stream, data, {
    at: isAhead || lastUpdated === null ? received : lastUpdated,
    language,
    findings: records.findings,
  })
  return {
    records,
    next: null,
    other: { endpoint: stream, body, lastUpdated, ...content } satisfies GbfsPart,
  }
}

/**
 * GBFS 1.0 to 3.1, found by gbfs.json or a manifest. Ids rotate: vehicles are shown and stored as snapshots, never joined into trips.
 * Settings: `language`; `system_id` of a manifest's system; `urls`, files by name, for feeds without gbfs.json; `vehicle_type` of feeds without types.
 */
export const gbfs: Adapter = {
  kind: 'gbfs',
  versions: ['3.0', '2.3', '1.0'],
  streams(feed) {
    const names = [...urlsOf(feed).keys()]
    return [
      ...(feed.url ? [{ name: 'discovery', by: 'now' as const, every: defaultSeconds }] : []),
      ...names.map((name) => {
        const every = Object.hasOwn(everySeconds, name) ? everySeconds[name] : defaultSeconds
        return { name, by: 'now' as const, ...(every === undefined ? {} : { every }) }
      }),
    ]
  },
  request(feed, stream) {
    const url = stream === 'discovery' ? feed.url : urlsOf(feed).get(stream)
    if (!url) throw new Error(`The feed has no address for ${stream}`)
    return { url, headers: { accept: 'application/json' } }
  },
  read: readPart,
}
