import type { Selectable } from 'kysely'
import { type WeatherDay, weatherFigures, type WeatherKind, weatherKinds } from '#contract/weather.ts'
import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'

type Row = Selectable<StateTables['weather_day']>

const readDay = (row: Row): WeatherDay => ({
  day: row.day,
  precipitation_mm: row.precipitation_mm,
  snowfall_mm: row.snowfall_mm,
  snow_depth_mm: row.snow_depth_mm,
  temperature_max_c: row.temperature_max_c,
  temperature_min_c: row.temperature_min_c,
  temperature_mean_c: row.temperature_mean_c,
  wind_max_kmh: row.wind_max_kmh,
  kind: row.kind as WeatherKind,
  place: row.place,
  source: row.source,
})

const rank = ({ kind }: WeatherDay): number => weatherKinds.indexOf(kind)
const countFigures = (day: WeatherDay): number => weatherFigures.filter((name) => day[name] !== null).length

/** The best report of each day: measured before modeled before forecast, then the most complete. */
function best(days: readonly WeatherDay[]): WeatherDay[] {
  const found = new Map<string, WeatherDay>()
  for (const day of days) {
    const before = found.get(day.day)
    if (
      !before ||
      rank(day) - rank(before) < 0 ||
      (rank(day) === rank(before) && countFigures(day) > countFigures(before))
    )
      found.set(day.day, day)
  }
  return [...found.values()]
}

/** Weather of a region by day, oldest first. */
export async function listWeather(
  state: State,
  scope: Scope,
  regionId: string,
  query: { start_date?: string | undefined; end_date?: string | undefined },
): Promise<WeatherDay[]> {
  await findRegion(state, scope, regionId)
  let found = state.as(scope).selectFrom('weather_day').selectAll().where('region_id', '=', regionId)
  if (query.start_date) found = found.where('day', '>=', query.start_date)
  if (query.end_date) found = found.where('day', '<=', query.end_date)
  return best((await found.orderBy('day').orderBy('source').execute()).map(readDay))
}

/** Weather of one day. */
export async function findWeather(
  state: State,
  scope: Scope,
  regionId: string,
  day: string,
): Promise<WeatherDay> {
  const [found] = await listWeather(state, scope, regionId, { start_date: day, end_date: day })
  if (!found) throw new Problem('not_found', `The weather of ${day} is not known in this region.`)
  return found
}
