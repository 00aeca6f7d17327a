import { createHash, randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type {
  Calibration,
  CalibrationCell,
  CalibrationInput,
  ChangeKind,
} from '#contract/curb-calibration.ts'
import type { DayType, OccupancyKind, TimeBand } from '#contract/curb-occupancy.ts'
import { type LocalDay, addDays } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { type CalibrationTerms, type EstimatePlan, planEstimates } from './calibration-plan.ts'
import { computeBootstrapRatio, type RatioSample } from './bootstrap-ratio.ts'
import { getHourWeights, type OccupancyStores, weigh } from './read-days.ts'

/** Months for which a calibration is valid, before and after its counts (decision 047). */
const validMonths = 24

type CalibrationRow = Selectable<StateTables['curb_calibration']>

/** Adds months to a day; days that the target month does not have become its last day. */
const addMonths = (day: LocalDay, months: number): LocalDay => {
  const date = new Date(Date.parse(day))
  const target = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1))
  const lastDayOfMonth = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate()
  target.setUTCDate(Math.min(date.getUTCDate(), lastDayOfMonth))
  return target.toISOString().slice(0, 10)
}

const toCalibration = (row: CalibrationRow, today: LocalDay): Calibration => ({
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

/** Lists calibrations of a region, newest first. */
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

/** Reads the ratios for estimates of a region; empty for other kinds of occupancy. */
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

interface CalibrationCall<Body> {
  viewer: Pick<Viewer, 'scope' | 'email'>
  params: { region_id: string }
  body: Body
  at: Date
  /** The local day of `at`. */
  today: LocalDay
}

/** Stores ratios of counted to paid occupancy. @throws Problem `validation_error` without common hours. */
export async function createCalibration(
  { state, facts }: OccupancyStores,
  { viewer: { scope, email }, params, body: input, at, today }: CalibrationCall<CalibrationInput>,
): Promise<Calibration> {
  const { region_id: regionId } = params
  const store = state.as(scope)
  const cells = computeCells(regionId, await readPairs(facts, scope, regionId, input), input)
  if (cells.every(({ k }) => k === null))
    throw new Problem(
      'validation_error',
      'In this period no zone was both counted and paid for in the same hours. Import a survey or sensor hours, or choose another period.',
    )
  const validity = findValidity(input, await readChangeDays(store, regionId))
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
    ...validity,
    created_by: email,
    created_time: at,
  }
  const stored = await store
    .insertInto('curb_calibration')
    .values(row)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toCalibration(stored, today)
}

/** Reads the days of zones on which they were both counted and paid for. */
const readPairs = (
  facts: Facts,
  scope: Scope,
  regionId: string,
  { start_date, end_date, zone_ids: zoneIds }: CalibrationInput,
): Promise<PairRow[]> =>
  facts.rows<PairRow>(
    scope,
    sql`
    select
      toString(zone_id) as zone_id,
      toDayOfWeek(day) as weekday,
      anyIf(occupied_s, kind = 'measured') as counted,
      anyIf(known_s, kind = 'measured') as counted_known,
      anyIf(occupied_s, kind = 'paid') as paid,
      anyIf(known_s, kind = 'paid') as paid_known
    from ${latest('curb_occupancy_days')}
    where region_id = ${bind('String', regionId)}
      and day >= ${bind('Date', start_date)}
      and day <= ${bind('Date', end_date)}
      ${zoneIds ? sql`and zone_id in ${bind('Array(String)', zoneIds)}` : sql``}
    group by zone_id, day
    having uniqExact(kind) = 2
    order by zone_id, day`,
    { limits: { seconds: 60 } },
  )

/** Computes the ratio of each band and day type. The same input gives the same intervals. */
function computeCells(
  regionId: string,
  pairs: readonly PairRow[],
  input: CalibrationInput,
): CalibrationCell[] {
  const seed = createHash('sha256')
    .update(JSON.stringify([regionId, input]))
    .digest()
    .readUInt32LE(0)
  return input.day_types.flatMap((type) =>
    input.bands.map((band): CalibrationCell => {
      const samples = pairs
        .filter(({ weekday }) => type.weekdays.includes(weekday))
        .flatMap((row) => toSample(row, band) ?? [])
      return { band: band.key, day_type: type.key, ...computeBootstrapRatio(samples, seed) }
    }),
  )
}

/** Finds the days on which a calibration is valid: not across a change of rules, enforcement or payment. */
function findValidity(
  { start_date, end_date }: CalibrationInput,
  changeDays: readonly LocalDay[],
): { valid_from: LocalDay; valid_until: LocalDay } {
  const changeBefore = changeDays.findLast((day) => day <= start_date)
  const changeAfter = changeDays.find((day) => day > start_date)
  const earliest = addMonths(end_date, -validMonths)
  const latestEnd = addDays(addMonths(end_date, validMonths), 1)
  return {
    valid_from: changeBefore !== undefined && changeBefore > earliest ? changeBefore : earliest,
    valid_until: changeAfter !== undefined && changeAfter < latestEnd ? changeAfter : latestEnd,
  }
}

/** Returns counted and paid time of a zone on a day in a band, in hours in which both are known, if any. */
function toSample(row: PairRow, band: TimeBand): RatioSample | null {
  const weights = getHourWeights(band.from, band.until)
  const counted = row.counted.map((seconds, hour) => {
    const knownTime = row.counted_known[hour] ?? 0
    const open = row.paid_known[hour] ?? 0
    // Scaled to the number of spaces for which payments are known.
    return knownTime > 0 && open > 0 ? (seconds / knownTime) * open : 0
  })
  const paid = row.paid.map((seconds, hour) =>
    (row.counted_known[hour] ?? 0) > 0 && (row.paid_known[hour] ?? 0) > 0 ? seconds : 0,
  )
  const hasBoth = row.paid_known.map((open, hour) => (open > 0 && (row.counted_known[hour] ?? 0) > 0 ? 1 : 0))
  return weigh(hasBoth, weights) > 0 ? { counted: weigh(counted, weights), paid: weigh(paid, weights) } : null
}

/** Reads the local days of recorded changes, oldest first. */
async function readChangeDays(store: Store, regionId: string): Promise<LocalDay[]> {
  const rows = await store
    .selectFrom('curb_calibration')
    .select('expired')
    .where('region_id', '=', regionId)
    .where('expired', 'is not', null)
    .execute()
  return [...new Set(rows.map(({ expired }) => (expired as { day: LocalDay }).day))].toSorted()
}

interface CurbChange {
  kind: ChangeKind
  day: LocalDay
  note: string
  /** The calibrations that expire; all if it is missing. */
  calibration_ids?: readonly string[] | undefined
}

/**
 * Records a change of rules, enforcement or payment. Calibrations from counts before it expire on its day;
 * calibrations from later counts become valid on its day at the earliest.
 */
export async function recordChange(
  { state }: Pick<OccupancyStores, 'state'>,
  { viewer: { scope, email }, params, body, at, today }: CalibrationCall<CurbChange>,
): Promise<Calibration[]> {
  const { region_id: regionId } = params
  const { kind, day, note, calibration_ids: ids } = body
  const calibrations = await listCalibrations(state.as(scope), regionId, today)
  const missingId = ids?.find((id) => !calibrations.some(({ calibration_id }) => calibration_id === id))
  if (missingId !== undefined) throw new Problem('not_found', 'There is no such calibration.')
  const expired = JSON.stringify({ kind, day, note, by: email, time: at.toISOString() })
  for (const calibration of calibrations) {
    if (ids && !ids.includes(calibration.calibration_id)) continue
    // Counts made after the change say nothing about the time before it.
    const changes =
      calibration.start_date >= day
        ? { valid_from: calibration.valid_from > day ? calibration.valid_from : day }
        : { valid_until: calibration.valid_until < day ? calibration.valid_until : day, expired }
    await state
      .as(scope)
      .updateTable('curb_calibration')
      .set(changes)
      .where('calibration_id', '=', calibration.calibration_id)
      .execute()
  }
  return listCalibrations(state.as(scope), regionId, today)
}
