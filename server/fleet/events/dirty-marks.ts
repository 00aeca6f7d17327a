import type { Facts } from '#server/stores/facts.ts'
import { encodeLines, formatTimeField } from '#server/stores/row-text.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts as factTable, sql } from '#server/stores/sql.ts'

/** Columns of `fleet_marks` except `marks`, which is 1 by default. */
export const markColumns = ['region_id', 'run_id', 'is_trip', 'operator', 'id', 'from_time'] as const

const markKeyColumns = sql`region_id, run_id, is_trip, operator, id, from_time`

/** SQL for the marks that were not withdrawn. Withdrawing a mark adds a row with a negative number of marks. */
export const activeMarksSql = sql`
  select ${markKeyColumns}
  from ${factTable('fleet_marks')}
  group by ${markKeyColumns}
  having sum(marks) > 0`

/** Withdraws the marks of derived runs. Idempotent. */
export const withdrawMarks = (
  facts: Pick<Facts, 'add'>,
  scope: Scope,
  regionId: string,
  runIds: readonly string[],
): Promise<void> =>
  facts.add(scope, 'fleet_marks', {
    columns: [...markColumns, 'marks'],
    rows: sql`
    select ${markKeyColumns}, -sum(marks) from ${factTable('fleet_marks')}
    where region_id = ${bind('String', regionId)} and run_id in ${bind('Array(UUID)', runIds)}
    group by ${markKeyColumns} having sum(marks) > 0`,
  })

/** A dirty vehicle or trip. */
interface DirtyEntry {
  isTrip: 0 | 1
  operator: string
  /** The id of the device or trip. */
  id: string
  /** First change of a vehicle, ms; 0 for trips. */
  from: number
}

/** Entries by operator and id. Nested maps, because joining keys of hundreds of thousands of ids is slow. */
type ByOperator = Map<string, Map<string, DirtyEntry>>

function getEntries(byOperator: ByOperator, operator: string): Map<string, DirtyEntry> {
  let entries = byOperator.get(operator)
  if (!entries) byOperator.set(operator, (entries = new Map()))
  return entries
}

/** The vehicles and trips that a batch makes dirty. Stored before the batch, so that no mark is lost. */
export class DirtyMarks {
  readonly #vehicles: ByOperator = new Map()
  readonly #trips: ByOperator = new Map()
  #unwritten = new Set<DirtyEntry>()

  /** Marks a vehicle from its first change (`from`, ms). */
  markVehicle(operator: string, deviceId: string, from: number): void {
    const vehicles = getEntries(this.#vehicles, operator)
    const existing = vehicles.get(deviceId)
    if (!existing) {
      const entry: DirtyEntry = { isTrip: 0, operator, id: deviceId, from }
      vehicles.set(deviceId, entry)
      this.#unwritten.add(entry)
    } else if (from < existing.from) {
      existing.from = from
      this.#unwritten.add(existing)
    }
  }

  markTrip(operator: string, tripId: string): void {
    const trips = getEntries(this.#trips, operator)
    if (trips.has(tripId)) return
    const entry: DirtyEntry = { isTrip: 1, operator, id: tripId, from: 0 }
    trips.set(tripId, entry)
    this.#unwritten.add(entry)
  }

  get isEmpty(): boolean {
    return this.#vehicles.size === 0 && this.#trips.size === 0
  }

  /** Stores new and changed marks under a run. */
  async write(facts: Facts, scope: Scope, regionId: string, runId: string): Promise<void> {
    const marks = this.#unwritten
    this.#unwritten = new Set()
    if (!marks.size) return
    await facts.insert(scope, 'fleet_marks', {
      columns: markColumns,
      regionId,
      lines: encodeLines(
        [...marks],
        ({ isTrip, operator, id, from }) =>
          `${regionId}\t${runId}\t${isTrip}\t${operator}\t${id}\t${from > 0 ? formatTimeField(from) : '1970-01-01 00:00:00'}\n`,
      ),
    })
  }
}
