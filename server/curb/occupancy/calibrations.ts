import { createHash, randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type {
  Calibration,
  CalibrationCell,
  CalibrationInput,
  ChangeKind,
} from '#contract/curb-calibration.ts'
import type { DayType, OccupancyKind, TimeBand } from '#contract/curb-occupancy.ts'
import { dayFromNumber, dayNumber, type LocalDay } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { type CalibrationTerms, type EstimatePlan, planEstimates } from './calibration-plan.ts'
import { bootstrapRatio, type RatioSample } from './bootstrap-ratio.ts'
import { hourWeights, weigh } from './read-days.ts'

/** Months for which a calibration is valid, before and after its counts (decision 047). */
const validMonths = 24

interface Stores {
  state: State
  facts: Facts
}
type Row = Selectable<StateTables['curb_calibration']>

/** Adds months to a day; days that the target month does not have become its last day. */
const addMonths = (day: LocalDay, months: number): LocalDay => {
  const date = new Date(Date.parse(day))
  const target = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1))
  const last = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate()
  target.setUTCDate(Math.min(date.getUTCDate(), last))
  return target.toISOString().slice(0, 10)
}

const toCalibration = (row: Row, today: LocalDay): Calibration => ({
  calibration_id: row.calibration_id,
  name: row.name,
  zone_ids: row.zone_ids as string[] | null,
  bands: row.bands as TimeBand[],
  day_types: row.day_types as DayType[],
  start_date: row.start_date,
  end_date: row.end_date,
  cells: row.cells as CalibrationCell[],
  valid_from: row.valid_from,
  valid_until: row.valid_until,
  is_expired: row.valid_until <= today,
  expired: row.expired as Calibration['expired'],
  created_by: row.created_by,
  created_time: row.created_time.toISOString(),
})

/** Calibrations of a region, newest first. */
export async function listCalibrations(
  store: Store,
  regionId: string,
  today: LocalDay,
): Promise<Calibration[]> {
  const rows = await store
    .selectFrom('curb_calibration')
    .selectAll()
    .where('region_id', '=', regionId)
    .orderBy('created_time', 'desc')
    .orderBy('calibration_id')
    .execute()
  return rows.map((row) => toCalibration(row, today))
}

/** The ratios for estimates of a region; empty for other kinds of occupancy. */
export async function readEstimatePlan(
  store: Store,
  regionId: string,
  kind: OccupancyKind,
): Promise<EstimatePlan> {
  if (kind !== 'estimated') return planEstimates([])
  // `today` only affects `is_expired`, which is not used here.
  const calibrations: CalibrationTerms[] = await listCalibrations(store, regionId, '')
  return planEstimates(calibrations.filter(({ valid_from, valid_until }) => valid_from < valid_until))
}

/** Counted and paid seconds of a zone on a day, by hour, with the seconds that are known. */
interface PairRow {
  zone_id: string
  weekday: number
  counted: number[]
  counted_known: number[]
  paid: number[]
  paid_known: number[]
}

interface CalibrationRequest {
  regionId: string
  at: Date
  /** The local day of `at`. */
  today: LocalDay
}

/**
 * Compares counted with paid occupancy and stores the ratios. Throws `validation_error` if no zone was both
 * counted and paid for in the same hours.
 */
export async function createCalibration(
  { state, facts }: Stores,
  { scope, email }: Viewer,
  { regionId, at, today }: CalibrationRequest,
  input: CalibrationInput,
): Promise<Calibration> {
  const rows = await facts.rows<PairRow>(
    scope,
    sql`
    select toString(zone_id) as zone_id, toDayOfWeek(day) as weekday, anyIf(occupied_s, kind = 'measured') as counted, anyIf(known_s, kind = 'measured') as counted_known,
      anyIf(occupied_s, kind = 'paid') as paid, anyIf(known_s, kind = 'paid') as paid_known
    from ${latest('curb_occupancy_days')}
    where region_id = ${bind('String', regionId)} and day >= ${bind('Date', input.start_date)} and day <= ${bind('Date', input.end_date)}
      ${input.zone_ids ? sql`and zone_id in ${bind('Array(String)', input.zone_ids)}` : sql``}
    group by zone_id, day
    having uniqExact(kind) = 2
    order by zone_id, day`,
    { limits: { seconds: 60 } },
  )
  const seed = createHash('sha256')
    .update(JSON.stringify([regionId, input]))
    .digest()
    .readUInt32LE(0)
  const cells = input.day_types.flatMap((type) =>
    input.bands.map((band): CalibrationCell => {
      const samples = rows
        .filter(({ weekday }) => type.weekdays.includes(weekday))
        .flatMap((row) => toSample(row, band) ?? [])
      return { band: band.key, day_type: type.key, ...bootstrapRatio(samples, seed) }
    }),
  )
  if (cells.every(({ k }) => k === null))
    throw new Problem(
      'validation_error',
      'In this period no zone was both counted and paid for in the same hours. Import a survey or sensor hours, or choose another period.',
    )
  const changeDays = await readChangeDays(state.as(scope), regionId)
  // A calibration is not valid across a change of rules, enforcement or payment.
  const [changeBefore, changeAfter] = [
    changeDays.findLast((day) => day <= input.start_date),
    changeDays.find((day) => day > input.start_date),
  ]
  const [earliest, latestDay] = [
    addMonths(input.end_date, -validMonths),
    dayFromNumber(dayNumber(addMonths(input.end_date, validMonths)) + 1),
  ]
  const row = {
    calibration_id: randomUUID(),
    region_id: regionId,
    name: input.name,
    zone_ids: input.zone_ids && JSON.stringify(input.zone_ids),
    bands: JSON.stringify(input.bands),
    day_types: JSON.stringify(input.day_types),
    start_date: input.start_date,
    end_date: input.end_date,
    cells: JSON.stringify(cells),
    valid_from: changeBefore !== undefined && changeBefore > earliest ? changeBefore : earliest,
    valid_until: changeAfter !== undefined && changeAfter < latestDay ? changeAfter : latestDay,
    created_by: email,
    created_time: at,
  }
  const stored = await state
    .as(scope)
    .insertInto('curb_calibration')
    .values(row)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toCalibration(stored, today)
}

/**
 * Counted and paid time of a zone on a day in a band, in the hours in which both are known; null without such
 * hours.
 */
function toSample(row: PairRow, band: TimeBand): RatioSample | null {
  const weights = hourWeights(band.from, band.until)
  const counted = row.counted.map((seconds, hour) => {
    const [known, open] = [row.counted_known[hour] ?? 0, row.paid_known[hour] ?? 0]
    // Scaled to the number of spaces for which payments are known.
    return known > 0 && open > 0 ? (seconds / known) * open : 0
  })
  const paid = row.paid.map((seconds, hour) =>
    (row.counted_known[hour] ?? 0) > 0 && (row.paid_known[hour] ?? 0) > 0 ? seconds : 0,
  )
  const hasBoth = row.paid_known.map((open, hour) => (open > 0 && (row.counted_known[hour] ?? 0) > 0 ? 1 : 0))
  return weigh(hasBoth, weights) > 0 ? { counted: weigh(counted, weights), paid: weigh(paid, weights) } : null
}

/** Local days of recorded changes, oldest first. */
async function readChangeDays(store: Store, regionId: string): Promise<LocalDay[]> {
  const rows = await store
    .selectFrom('curb_calibration')
    .select('expired')
    .where('region_id', '=', regionId)
    .where('expired', 'is not', null)
    .execute()
  return [...new Set(rows.map(({ expired }) => (expired as { day: LocalDay }).day))].toSorted()
}

/**
 * Records a change of rules, enforcement or payment. Calibrations from counts before it expire on its day;
 * calibrations from later counts become valid on its day at the earliest.
 */
export async function recordChange(
  { state }: Pick<Stores, 'state'>,
  { scope, email }: Viewer,
  { regionId, at, today }: CalibrationRequest,
  change: { kind: ChangeKind; day: LocalDay; note: string; calibration_ids?: readonly string[] | undefined },
): Promise<Calibration[]> {
  const { kind, day, note, calibration_ids: ids } = change
  const calibrations = await listCalibrations(state.as(scope), regionId, today)
  const missing = ids?.find((id) => !calibrations.some((each) => each.calibration_id === id))
  if (missing !== undefined) throw new Problem('not_found', 'There is no such calibration.')
  const expired = JSON.stringify({ kind, day, note, by: email, time: at.toISOString() })
  for (const each of calibrations) {
    if (ids && !ids.includes(each.calibration_id)) continue
    // Counts made after the change say nothing about the time before it.
    const changes =
      each.start_date >= day
        ? { valid_from: each.valid_from > day ? each.valid_from : day }
        : { valid_until: each.valid_until < day ? each.valid_until : day, expired }
    await state
      .as(scope)
      .updateTable('curb_calibration')
      .set(changes)
      .where('calibration_id', '=', each.calibration_id)
      .execute()
  }
  return listCalibrations(state.as(scope), regionId, today)
}
