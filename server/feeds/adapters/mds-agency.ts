import { feedContext, type MdsVersion, mdsVersions } from '../mds/mds-context.ts'
import { isItem, uuidOf } from '../mds/fields.ts'
import { type ItemKind, readItemInto } from '../mds/read-mds-item.ts'
import { readReports } from '../mds/read-reports.ts'
import { noRecords } from '#server/fleet/events/feed-records.ts'
import { type Adapter, type Read, UnreadableBody } from './adapter.ts'
import { refuseExcess } from './refuse-excess.ts'

const kinds: Record<MdsVersion, Readonly<Record<string, ItemKind>>> = {
  '2.0': { vehicles: 'vehicle', events: 'event', trips: 'trip', telemetry: 'telemetry', stops: 'stop' },
  '1.2': { vehicles: 'vehicle', events: 'pushed_event', telemetry: 'telemetry', stops: 'stop' },
}

/** Items per push at most; larger pushes were refused when they arrived. */
const maxItems = 20_000

/** The items of a pushed body: a list by itself or under its name, or a single one. */
function itemsOf(json: unknown, stream: string): readonly unknown[] {
  const list = isItem(json) ? (json[stream] ?? json['data']) : json
  return Array.isArray(list) ? list : [json]
}

/** An event of 1.2 is pushed to the path of its vehicle, which its telemetry also names. */
function withVehicle(item: unknown): unknown {
  const telemetry = isItem(item) ? item['telemetry'] : null
  return isItem(item) && isItem(telemetry) ? { ...item, device_id: uuidOf(telemetry['device_id']) } : item
}

/**
 * What operators pushed to the MDS Agency API, read again from what was retained. It cannot be pulled. Partial changes of a record (a
 * stop's status, a vehicle number) become findings, because they mean nothing without the record.
 */
export const mdsAgency: Adapter = {
  kind: 'mds_agency',
  versions: mdsVersions,
  streams: () => [],
  request() {
    throw new Error('Operators push to the MDS Agency API; it cannot be pulled')
  },
  read(feed, stream, bytes, received): Read {
    const version: MdsVersion = feed.version === '1.2' ? '1.2' : '2.0'
    const context = feedContext(feed, received)
    refuseExcess(bytes)
    const text = new TextDecoder().decode(bytes)
    const records = noRecords()
    if (stream === 'reports') {
      const report = readReports(text, context)
      if (!report) throw new UnreadableBody('What was pushed is not an MDS report.')
      return { records: { ...records, findings: report.findings }, next: null }
    }
    const kind = Object.hasOwn(kinds[version], stream) ? kinds[version][stream] : undefined
    if (!kind) throw new UnreadableBody(`MDS ${version} has no push called ${stream}.`)
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      throw new UnreadableBody('What was pushed is not JSON.')
    }
    const items = itemsOf(json, stream)
    if (items.length > maxItems)
      throw new UnreadableBody(`What was pushed was refused: it has more than ${maxItems} items.`)
    items.forEach((item, index) =>
      readItemInto(
        records,
        version,
        kind,
        kind === 'pushed_event' ? withVehicle(item) : item,
        context,
        items.length > 1 ? `${stream}[${index}]` : '',
      ),
    )
    return { records, next: null }
  },
}
