import type { Insertable, Selectable } from 'kysely'
import { type WeatherFigure, weatherFigures, type WeatherKind, weatherKinds } from '#contract/weather.ts'
import { storeInTurns } from '#server/regions/store-in-turns.ts'
import { overwrite } from '#server/stores/overwrite.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { DayWeather } from './day-weather.ts'

/** The source of days. */
export interface WeatherFrom {
  regionId: string
  /** A feed's id; `files` for files. */
  source: string
  /** When they were received, ms. */
  observed: number
  importId: string | null
}

type Row = Selectable<StateTables['weather_day']>

const batchSize = 1000
const keyColumns = ['region_id', 'day', 'source'] as const

const rank = (kind: string): number => weatherKinds.indexOf(kind as WeatherKind)
const figuresOf = (row: Pick<Row, WeatherFigure>): Record<WeatherFigure, number | null> =>
  Object.fromEntries(weatherFigures.map((name) => [name, row[name]])) as Record<WeatherFigure, number | null>

/** Merges two reports of a day: the better kind wins, then the later report; missing figures are taken from the other. */
function merged(
  known: Row | undefined,
  next: DayWeather,
  observed: number,
): Pick<Row, WeatherFigure | 'kind' | 'place' | 'observed_time'> {
  const given = Object.fromEntries(
    weatherFigures.map((name) => [name, next.figures[name] ?? null]),
  ) as Record<WeatherFigure, number | null>
  const fresh = { ...given, kind: next.kind, place: next.place, observed_time: new Date(observed) }
  if (!known) return fresh
  const isWorse = rank(next.kind) > rank(known.kind)
  if (isWorse) return known
  // Figures of a forecast do not fill gaps of measured or modeled weather.
  if (rank(next.kind) < rank(known.kind)) return fresh
  const [newer, older] =
    observed >= known.observed_time.getTime() ? [given, figuresOf(known)] : [figuresOf(known), given]
  const figures = Object.fromEntries(
    weatherFigures.map((name) => [name, newer[name] ?? older[name]]),
  ) as Record<WeatherFigure, number | null>
  return { ...fresh, ...figures, observed_time: new Date(Math.max(observed, known.observed_time.getTime())) }
}

const isSame = (known: Row | undefined, next: ReturnType<typeof merged>): boolean =>
  known !== undefined &&
  known.kind === next.kind &&
  known.place === next.place &&
  weatherFigures.every((name) => known[name] === next[name])

async function storeSome(
  store: Store,
  { regionId, source, observed, importId }: WeatherFrom,
  days: readonly DayWeather[],
): Promise<number> {
  const sourceOf = ({ station }: DayWeather): string => (station ? `${source}:${station}` : source)
  const keyOf = (sourceName: string, day: string): string => `${sourceName} ${day}`
  const rows = await store
    .selectFrom('weather_day')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('source', 'in', [...new Set(days.map(sourceOf))])
    .where('day', 'in', [...new Set(days.map(({ day }) => day))])
    .execute()
  const there = new Map(rows.map((row) => [keyOf(row.source, row.day), row]))
  const changed = new Map<string, Insertable<StateTables['weather_day']>>()
  let count = 0
  for (const day of days) {
    const sourceName = sourceOf(day)
    const key = keyOf(sourceName, day.day)
    const before = there.get(key)
    const next = merged(before, day, observed)
    const isNew = importId !== null && !before?.imports.includes(importId)
    if (isSame(before, next) && !isNew) continue
    const row = {
      region_id: regionId,
      day: day.day,
      source: sourceName,
      imports: isNew ? [...(before?.imports ?? []), importId] : (before?.imports ?? []),
      ...figuresOf(next),
      kind: next.kind,
      place: next.place,
      observed_time: next.observed_time,
    }
    there.set(key, row)
    if (!isSame(before, next)) count++
    changed.set(key, { ...row, imports: JSON.stringify(row.imports) })
  }
  const values = [...changed.values()]
  const [first] = values
  if (first)
    await store
      .insertInto('weather_day')
      .values(values)
      .onConflict((clash) => clash.columns(keyColumns).doUpdateSet(overwrite(first, keyColumns)))
      .execute()
  return count
}

/** Stores days; repetitions change nothing. Returns the number of changed days. */
export async function storeWeather(
  state: State,
  scope: Scope,
  from: WeatherFrom,
  days: readonly DayWeather[],
): Promise<number> {
  return storeInTurns(state, scope, from.regionId, days, batchSize, (store, batch) =>
    storeSome(store, from, batch),
  )
}
