import type { Facts } from '#server/stores/facts.ts'
import { encodeLines, timeText } from '#server/stores/row-text.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts, sql } from '#server/stores/sql.ts'

/** Columns of `fleet_marks` without the number of marks, which is one. */
export const markColumns = ['region_id', 'run_id', 'is_trip', 'operator', 'id', 'from_time'] as const

const markKey = sql`region_id, run_id, is_trip, operator, id, from_time`

/** The marks that were not taken back. */
export const standingMarks = sql`select ${markKey} from ${facts('fleet_marks')} group by ${markKey} having sum(marks) > 0`

/** Takes back the marks of runs that are derived. Taken back again, nothing changes. */
export const takeBackMarks = (
  store: Pick<Facts, 'add'>,
  scope: Scope,
  regionId: string,
  runIds: readonly string[],
): Promise<void> =>
  store.add(
    scope,
    'fleet_marks',
    [...markColumns, 'marks'],
    sql`
    select ${markKey}, -sum(marks) from ${facts('fleet_marks')}
    where region_id = ${bind('String', regionId)} and run_id in ${bind('Array(UUID)', runIds)}
    group by ${markKey} having sum(marks) > 0`,
  )

interface Entry {
  isTrip: 0 | 1
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
  private unwritten = new Set<Entry>()

  /** `from` in ms. */
  markVehicle(operator: string, deviceId: string, from: number): void {
    const vehicles = entriesOf(this.vehicles, operator)
    const known = vehicles.get(deviceId)
    if (!known) {
      const entry: Entry = { isTrip: 0, operator, id: deviceId, from }
      vehicles.set(deviceId, entry)
      this.unwritten.add(entry)
    } else if (from < known.from) {
      known.from = from
      this.unwritten.add(known)
    }
  }

  markTrip(operator: string, tripId: string): void {
    const trips = entriesOf(this.trips, operator)
    if (trips.has(tripId)) return
    const entry: Entry = { isTrip: 1, operator, id: tripId, from: 0 }
    trips.set(tripId, entry)
    this.unwritten.add(entry)
  }

  get isEmpty(): boolean {
    return this.vehicles.size === 0 && this.trips.size === 0
  }

  /** Stores marks that are not stored yet, under a run. */
  async write(store: Facts, scope: Scope, regionId: string, runId: string): Promise<void> {
    const marks = this.unwritten
    this.unwritten = new Set()
    if (!marks.size) return
    await store.insert(
      scope,
      'fleet_marks',
      markColumns,
      regionId,
      encodeLines(
        [...marks],
        ({ isTrip, operator, id, from }) =>
          `${regionId}\t${runId}\t${isTrip}\t${operator}\t${id}\t${from > 0 ? timeText(from) : '1970-01-01 00:00:00'}\n`,
      ),
    )
  }
}
