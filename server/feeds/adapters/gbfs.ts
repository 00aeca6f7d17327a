import { noRecords } from '#server/fleet/events/feed-records.ts'
import type { GbfsPart } from '../gbfs/gbfs-part.ts'
import { parseTime } from '../gbfs/gbfs-value.ts'
import { readDiscovery } from '../gbfs/read-discovery.ts'
import { readGbfs } from '../gbfs/read-gbfs.ts'
import { createFinding } from '../mds/create-finding.ts'
import { type Adapter, type AdapterFeed, type ReadResult, UnreadableBody } from './adapter.ts'
import { parseJsonObject, decodeBody, isObject } from './response-body.ts'

/** Seconds between two requests of a file; undefined (the feed's interval) if it changes all the time. */
const fileIntervalSeconds: Readonly<Record<string, number | undefined>> = {
  vehicle_status: undefined,
  free_bike_status: undefined,
  station_status: undefined,
  system_alerts: 300,
  geofencing_zones: 900,
}
const defaultIntervalSeconds = 3600

/** Smaller differences between clocks are not reported. */
const maxAheadMs = 5 * 60_000

/** Returns a setting that is a text; '' if it is not set. */
const getSetting = ({ settings }: AdapterFeed, name: string): string =>
  typeof settings[name] === 'string' ? settings[name] : ''

/**
 * Returns the URLs of a feed's files. Those that its administrator entered (`urls`) have precedence over
 * those of its gbfs.json (`discovered`, stored by the sink).
 */
function getFileUrls({ settings }: AdapterFeed): Map<string, string> {
  const entries = [settings['discovered'], settings['urls']]
    .filter(isObject)
    .flatMap((urls) => Object.entries(urls))
  return new Map(
    entries.filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[0] !== 'discovery',
    ),
  )
}

/** Reads a GBFS file. If its time is too far ahead, the time of receipt counts. */
function readFile(feed: AdapterFeed, stream: string, bytes: Uint8Array, received: number): ReadResult {
  const body = decodeBody(bytes)
  const file = parseJsonObject(body)
  const data = file['data']
  if (!isObject(data)) throw new UnreadableBody('The response is JSON, but not of GBFS: it has no “data”.')
  const records = noRecords()
  const reportedTime = parseTime(file['last_updated'])
  const isAhead = reportedTime > received + maxAheadMs
  if (isAhead)
    records.findings.push(
      createFinding({
        kind: 'clock_skew',
        recordId: '',
        field: 'last_updated',
        reason: 'The time of the file is after its receipt; the receipt counts.',
        item: file['last_updated'],
      }),
    )
  const lastUpdated = Number.isNaN(reportedTime) ? null : reportedTime
  const language = getSetting(feed, 'language').toLowerCase() || 'en'
  if (stream === 'discovery') {
    const discovered = readDiscovery(data, {
      base: feed.url,
      language,
      version: feed.version,
      systemId: getSetting(feed, 'system_id'),
    })
    if ('next' in discovered) return { records, next: discovered.next }
    if (!discovered.feeds.length) throw new UnreadableBody('The response names no files of GBFS.')
    return {
      records,
      next: null,
      other: { endpoint: 'gbfs', body, lastUpdated, kind: 'discovery', ...discovered } satisfies GbfsPart,
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
 * GBFS 1.0 to 3.1, discovered through gbfs.json or a manifest. Vehicle ids rotate, so vehicles are shown and
 * stored as snapshots and not joined into trips. Settings: `language`; `system_id`, the system of a manifest;
 * `urls`, the files of feeds without gbfs.json by name; `vehicle_type`, for feeds without types.
 */
export const gbfs: Adapter = {
  kind: 'gbfs',
  versions: ['3.0', '2.3', '1.0'],
  streams(feed) {
    const names = [...getFileUrls(feed).keys()]
    return [
      ...(feed.url
        ? [{ name: 'discovery', window: 'now' as const, everySeconds: defaultIntervalSeconds }]
        : []),
      ...names.map((name) => {
        const everySeconds = Object.hasOwn(fileIntervalSeconds, name)
          ? fileIntervalSeconds[name]
          : defaultIntervalSeconds
        return { name, window: 'now' as const, ...(everySeconds === undefined ? {} : { everySeconds }) }
      }),
    ]
  },
  request(feed, stream) {
    const url = stream === 'discovery' ? feed.url : getFileUrls(feed).get(stream)
    if (!url) throw new Error(`The feed has no address for ${stream}`)
    return { url, headers: { accept: 'application/json' } }
  },
  read: readFile,
}
