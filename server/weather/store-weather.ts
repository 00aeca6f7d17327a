import type { Insertable, Selectable } from 'kysely'
import { type WeatherFigure, weatherFigures, type WeatherKind, weatherKinds } from '#contract/weather.ts'
import { storeInTurns } from '#server/regions/store-in-turns.ts'
import { overwrite } from '#server/stores/insert-rows.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { DayWeather } from './day-weather.ts'

/** The source of reported days. */
export interface WeatherOrigin {
  regionId: string
  /** The id of a feed, or `files` for imported files. */
  source: string
  /** When the days were received, in epoch milliseconds. */
  observed: number
  importId: string | null
}

type WeatherRow = Selectable<StateTables['weather_day']>

const batchSize = 1000
const keyColumns = ['region_id', 'day', 'source'] as const

/** 0 is best: measured. */
const getRank = (kind: string): number => weatherKinds.indexOf(kind as WeatherKind)
const toFigures = (row: Pick<WeatherRow, WeatherFigure>): Record<WeatherFigure, number | null> =>
  Object.fromEntries(weatherFigures.map((name) => [name, row[name]])) as Record<WeatherFigure, number | null>

/**
 * Merges a stored and a new report of a day. The better kind wins; of the same kind, the later report wins
 * and the other one fills its missing figures.
 */
function mergeReports(
  stored: WeatherRow | undefined,
  next: DayWeather,
  observed: number,
): Pick<WeatherRow, WeatherFigure | 'kind' | 'place' | 'observed_time'> {
  const nextFigures = Object.fromEntries(
    weatherFigures.map((name) => [name, next.figures[name] ?? null]),
  ) as Record<WeatherFigure, number | null>
  const nextRow = { ...nextFigures, kind: next.kind, place: next.place, observed_time: new Date(observed) }
  if (!stored) return nextRow
  const rankDifference = getRank(next.kind) - getRank(stored.kind)
  if (rankDifference > 0) return stored
  // Figures of a forecast do not fill gaps of measured or modeled weather.
  if (rankDifference < 0) return nextRow
  const [newer, older] =
    observed >= stored.observed_time.getTime()
      ? [nextFigures, toFigures(stored)]
      : [toFigures(stored), nextFigures]
  const figures = Object.fromEntries(
    weatherFigures.map((name) => [name, newer[name] ?? older[name]]),
  ) as Record<WeatherFigure, number | null>
  const latest = new Date(Math.max(observed, stored.observed_time.getTime()))
  return { ...nextRow, ...figures, observed_time: latest }
}

const isSame = (stored: WeatherRow | undefined, next: ReturnType<typeof mergeReports>): boolean =>
  stored !== undefined &&
  stored.kind === next.kind &&
  stored.place === next.place &&
  weatherFigures.every((name) => stored[name] === next[name])

/** Merges days with the stored ones. Returns the number of changed days. */
async function storeBatch(
  store: Store,
  { regionId, source, observed, importId }: WeatherOrigin,
  days: readonly DayWeather[],
): Promise<number> {
  const getSource = ({ station }: DayWeather): string => (station ? `${source}:${station}` : source)
  const toKey = (sourceName: string, day: string): string => `${sourceName} ${day}`
  const rows = await store
    .selectFrom('weather_day')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('source', 'in', [...new Set(days.map(getSource))])
    .where('day', 'in', [...new Set(days.map(({ day }) => day))])
    .execute()
  const currentRows = new Map(rows.map((row) => [toKey(row.source, row.day), row]))
  const changedRows = new Map<string, Insertable<StateTables['weather_day']>>()
  let changedCount = 0
  for (const day of days) {
    const sourceName = getSource(day)
    const key = toKey(sourceName, day.day)
    const stored = currentRows.get(key)
    const next = mergeReports(stored, day, observed)
    const isNewImport = importId !== null && !stored?.imports.includes(importId)
    if (isSame(stored, next) && !isNewImport) continue
    const row = {
      region_id: regionId,
      day: day.day,
      source: sourceName,
      imports: isNewImport ? [...(stored?.imports ?? []), importId] : (stored?.imports ?? []),
      ...toFigures(next),
      kind: next.kind,
      place: next.place,
      observed_time: next.observed_time,
    }
    // The next report of the same day in this batch is merged with this one.
    currentRows.set(key, row)
    // A further import of the same report changes the row, but not the weather.
    if (!isSame(stored, next)) changedCount++
    changedRows.set(key, { ...row, imports: JSON.stringify(row.imports) })
  }
  const values = [...changedRows.values()]
  const [firstRow] = values
  if (firstRow)
    await store
      .insertInto('weather_day')
      .values(values)
      .onConflict((conflict) => conflict.columns(keyColumns).doUpdateSet(overwrite(firstRow, keyColumns)))
      .execute()
  return changedCount
}

/** Stores days. Idempotent. Returns the number of changed days. */
export async function storeWeather(
  state: State,
  scope: Scope,
  origin: WeatherOrigin,
  days: readonly DayWeather[],
): Promise<number> {
  return storeInTurns(state.as(scope), origin.regionId, days, {
    batchSize,
    storeBatch: (transaction, batch) => storeBatch(transaction, origin, batch),
  })
}
