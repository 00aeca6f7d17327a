import type { Facts } from '#server/stores/facts.ts'
import { encodeLines, timeText } from '#server/stores/row-text.ts'
import type { Scope } from '#server/stores/scope.ts'

interface Entry {
  operator: string
  id: string
  /** Ms; of trips 0. */
  from: number
}

/** By operator and id: no key is put together of the two, a batch has hundreds of thousands. */
type ByOperator = Map<string, Map<string, Entry>>

function entriesOf(all: ByOperator, operator: string): Map<string, Entry> {
  let found = all.get(operator)
  if (!found) all.set(operator, (found = new Map()))
  return found
}

/** What a batch makes dirty: vehicles, each from its first change on, and trips. Stored before the batch, so that none is lost. */
export class DirtyMarks {
  private readonly vehicles: ByOperator = new Map()
  private readonly trips: ByOperator = new Map()
  private unwrittenVehicles = new Set<Entry>()
  private unwrittenTrips: Entry[] = []

  /** `from` in ms. */
  markVehicle(operator: string, deviceId: string, from: number): void {
    const vehicles = entriesOf(this.vehicles, operator)
    const known = vehicles.get(deviceId)
    if (!known) {
      const entry = { operator, id: deviceId, from }
      vehicles.set(deviceId, entry)
      this.unwrittenVehicles.add(entry)
    } else if (from < known.from) {
      known.from = from
      this.unwrittenVehicles.add(known)
    }
  }

  markTrip(operator: string, tripId: string): void {
    const trips = entriesOf(this.trips, operator)
    if (trips.has(tripId)) return
    const entry = { operator, id: tripId, from: 0 }
    trips.set(tripId, entry)
    this.unwrittenTrips.push(entry)
  }

  get isEmpty(): boolean {
    return this.vehicles.size === 0 && this.trips.size === 0
  }

  /** Stores marks that are not stored yet, under a run. */
  async write(store: Facts, scope: Scope, regionId: string, runId: string): Promise<void> {
    const [vehicles, trips] = [[...this.unwrittenVehicles], this.unwrittenTrips]
    this.unwrittenVehicles = new Set()
    this.unwrittenTrips = []
    await Promise.all([
      vehicles.length &&
        store.insert(
          scope,
          'fleet_dirty',
          ['region_id', 'run_id', 'operator', 'device_id', 'from_time'],
          regionId,
          encodeLines(
            vehicles,
            ({ operator, id, from }) =>
              `${regionId}\t${runId}\t${operator}\t${id}\t${from > 0 ? timeText(from) : '1970-01-01 00:00:00'}\n`,
          ),
        ),
      trips.length &&
        store.insert(
          scope,
          'trip_dirty',
          ['region_id', 'run_id', 'operator', 'trip_id'],
          regionId,
          encodeLines(trips, ({ operator, id }) => `${regionId}\t${runId}\t${operator}\t${id}\n`),
        ),
    ])
  }
}
