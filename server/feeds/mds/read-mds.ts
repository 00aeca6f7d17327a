import { type FeedRecords, noRecords } from '#server/fleet/events/feed-records.ts'
import { isItem } from './fields.ts'
import { findingOf } from './finding-of.ts'
import type { MdsContext, MdsVersion } from './mds-context.ts'
import { type ItemKind, readItemInto } from './read-mds-item.ts'

/** Streams of a JSON feed. */
export type MdsStream = 'vehicles' | 'status' | 'events' | 'recent' | 'trips' | 'telemetry' | 'stops'

/** The list names of each stream, and the kind of their records. */
const lists: Record<MdsVersion, Partial<Record<MdsStream, readonly [ItemKind, ...string[]]>>> = {
  '2.0': {
    vehicles: ['vehicle', 'vehicles'],
    status: ['status', 'vehicles_status'],
    events: ['event', 'events'],
    recent: ['event', 'events'],
    trips: ['trip', 'trips'],
    telemetry: ['telemetry', 'telemetry'],
    stops: ['stop', 'stops'],
  },
  '1.2': {
    vehicles: ['status', 'vehicles'],
    events: ['event', 'status_changes', 'events'],
    recent: ['event', 'status_changes', 'events'],
    trips: ['trip', 'trips'],
    stops: ['stop', 'stops'],
  },
}

/** A list of records in a body, with its name. */
interface RecordList {
  kind: ItemKind
  name: string
  items: readonly unknown[]
}

/** The list of records in a body; null if there is none. 1.2 wraps it in `data`. */
export function recordsIn(version: MdsVersion, stream: MdsStream, body: unknown): RecordList | null {
  const [kind, ...names] = lists[version][stream] ?? []
  const holder = isItem(body) ? (version === '1.2' ? body['data'] : body) : null
  if (!kind || !isItem(holder)) return null
  for (const name of names) {
    const items = holder[name]
    if (Array.isArray(items)) return { kind, name, items }
  }
  return null
}

/** In 1.2 every record names its vehicle: duplicates are removed. */
function withoutRepeats(records: FeedRecords): void {
  records.vehicles = [...new Map(records.vehicles.map((vehicle) => [vehicle.deviceId, vehicle])).values()]
}

/** Reads a list of records. Invalid ones become findings; never throws. */
export function readRecords(
  version: MdsVersion,
  { kind, name, items }: RecordList,
  context: MdsContext,
): FeedRecords {
  const records = noRecords()
  items.forEach((item, index) => readItemInto(records, version, kind, item, context, `${name}[${index}]`))
  if (version === '1.2') withoutRepeats(records)
  return records
}

/** Reads a parsed body of an MDS feed. Invalid records become findings; never throws. */
export function readMds(
  version: MdsVersion,
  stream: MdsStream,
  body: unknown,
  context: MdsContext,
): FeedRecords {
  const list = recordsIn(version, stream, body)
  if (list) return readRecords(version, list, context)
  const [, name = stream] = lists[version][stream] ?? []
  const field = version === '1.2' ? `data.${name}` : name
  const finding = findingOf('schema', '', field, `The body holds no list of ${name}.`, body)
  return { ...noRecords(), findings: [finding] }
}
