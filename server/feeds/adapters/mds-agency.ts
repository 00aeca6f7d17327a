import { createFeedContext, type MdsVersion, mdsVersions } from '../mds/mds-context.ts'
import { isItem, parseUuid } from '../mds/fields.ts'
import { type ItemKind, readItemInto } from '../mds/read-mds-item.ts'
import { readReports } from '../mds/read-reports.ts'
import { noRecords } from '#server/fleet/events/feed-records.ts'
import { type Adapter, type ReadResult, UnreadableBody } from './adapter.ts'
import { checkParseLimits } from './check-parse-limits.ts'

/** The kind of the items of each stream, by version. */
const itemKindsByStream: Record<MdsVersion, Readonly<Record<string, ItemKind>>> = {
  '2.0': { vehicles: 'vehicle', events: 'event', trips: 'trip', telemetry: 'telemetry', stops: 'stop' },
  '1.2': { vehicles: 'vehicle', events: 'pushed_event', telemetry: 'telemetry', stops: 'stop' },
}

/** The maximum number of items per push; larger pushes are refused when they arrive. */
export const maxPushedItems = 20_000

/** Returns the items of a pushed body: a list, an object with the list under its name, or a single item. */
function getItems(json: unknown, stream: string): readonly unknown[] {
  const list = isItem(json) ? (json[stream] ?? json['data']) : json
  return Array.isArray(list) ? list : [json]
}

/** Adds the device id to a pushed event of 1.2, which has it only in its telemetry: its URL named the vehicle. */
function addDeviceId(item: unknown): unknown {
  const telemetry = isItem(item) ? item['telemetry'] : null
  return isItem(item) && isItem(telemetry) ? { ...item, device_id: parseUuid(telemetry['device_id']) } : item
}

/**
 * Reads retained pushes to the MDS Agency API again. The API cannot be pulled. Partial changes of a record, such
 * as a stop's status or a vehicle number, become findings, because they cannot be applied without the record.
 */
export const mdsAgency: Adapter = {
  kind: 'mds_agency',
  versions: mdsVersions,
  streams: () => [],
  request() {
    throw new Error('Operators push to the MDS Agency API; it cannot be pulled')
  },
  read(feed, stream, bytes, received): ReadResult {
    const version: MdsVersion = feed.version === '1.2' ? '1.2' : '2.0'
    const context = createFeedContext(feed, received)
    checkParseLimits(bytes)
    const text = new TextDecoder().decode(bytes)
    const records = noRecords()
    if (stream === 'reports') {
      // The rows were stored when the report was pushed; records of a feed do not include them.
      const report = readReports(text, context)
      if (!report) throw new UnreadableBody('The push is not an MDS report.')
      return { records: { ...records, findings: report.findings }, next: null }
    }
    const kind = Object.hasOwn(itemKindsByStream[version], stream)
      ? itemKindsByStream[version][stream]
      : undefined
    if (!kind) throw new UnreadableBody(`MDS ${version} has no push called ${stream}.`)
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      throw new UnreadableBody('The push is not JSON.')
    }
    const items = getItems(json, stream)
    if (items.length > maxPushedItems)
      throw new UnreadableBody(`The push was refused: it has more than ${maxPushedItems} items.`)
    items.forEach((item, index) =>
      readItemInto(records, kind === 'pushed_event' ? addDeviceId(item) : item, {
        version,
        kind,
        context,
        path: items.length > 1 ? `${stream}[${index}]` : '',
      }),
    )
    return { records, next: null }
  },
}
