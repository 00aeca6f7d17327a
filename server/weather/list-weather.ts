import type { Selectable } from 'kysely'
import { type WeatherDay, weatherFigures, type WeatherKind, weatherKinds } from '#contract/weather.ts'
import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'

type WeatherRow = Selectable<StateTables['weather_day']>

const readDay = (row: WeatherRow): WeatherDay => ({
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

/** 0 is best: measured. */
const getRank = ({ kind }: WeatherDay): number => weatherKinds.indexOf(kind)
const countFigures = (day: WeatherDay): number => weatherFigures.filter((name) => day[name] !== null).length

/** Chooses the best report of each day: measured before modeled before forecast, then the most complete. */
function chooseBestReports(reports: readonly WeatherDay[]): WeatherDay[] {
  const bestByDay = new Map<string, WeatherDay>()
  for (const report of reports) {
    const best = bestByDay.get(report.day)
    const rankDifference = best ? getRank(report) - getRank(best) : 0
    if (!best || rankDifference < 0 || (rankDifference === 0 && countFigures(report) > countFigures(best)))
      bestByDay.set(report.day, report)
  }
  return [...bestByDay.values()]
}

/** Lists a region's best report of each day, oldest first. @throws Problem if there is no such region. */
export async function listWeather(
  state: State,
  scope: Scope,
  regionId: string,
  query: { start_date?: string | undefined; end_date?: string | undefined },
): Promise<WeatherDay[]> {
  await findRegion(state, scope, regionId)
  let rows = state.as(scope).selectFrom('weather_day').selectAll().where('region_id', '=', regionId)
  if (query.start_date) rows = rows.where('day', '>=', query.start_date)
  if (query.end_date) rows = rows.where('day', '<=', query.end_date)
  return chooseBestReports((await rows.orderBy('day').orderBy('source').execute()).map(readDay))
}

/** Finds the best report of one day. @throws Problem if there is none. */
export async function findWeather(
  state: State,
  scope: Scope,
  regionId: string,
  day: string,
): Promise<WeatherDay> {
  const [report] = await listWeather(state, scope, regionId, { start_date: day, end_date: day })
  if (!report) throw new Problem('not_found', `The weather of ${day} is not known in this region.`)
  return report
}
