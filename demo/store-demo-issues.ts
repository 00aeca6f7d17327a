import { civilClock } from '#contract/civil-clock.ts'
import { dayFromNumber, hourMs } from '#contract/period.ts'
import type { App } from '#server/app.ts'
import type { IssueReport } from '#server/issues/issue-report.ts'
import { fileSource, storeIssues } from '#server/issues/store-issues.ts'
import type { Scope } from '#server/stores/scope.ts'
import { storeWeather } from '#server/weather/store-weather.ts'
import type { City } from './city.ts'
import { makeDailyWeather } from './daily-weather.ts'
import { hashNumbers, createRandom } from './hash-numbers.ts'
import { toDegrees } from './point.ts'
import { placeOnEdge } from './trips/place-on-edge.ts'

/** Services with issues per dry day and per mm of rain, and median hours until they are closed. */
const services = [
  { code: 'litter', name: 'Overflowing litter bin', perDay: 4.5, perMm: 0, medianHours: 20 },
  { code: 'scooter', name: 'Scooter or bicycle in the way', perDay: 4, perMm: -0.05, medianHours: 5 },
  { code: 'pothole', name: 'Pothole', perDay: 3, perMm: 0.25, medianHours: 110 },
  { code: 'graffiti', name: 'Graffiti', perDay: 3, perMm: -0.1, medianHours: 70 },
  { code: 'streetlight', name: 'Street light out', perDay: 2.5, perMm: 0, medianHours: 90 },
  { code: 'sign', name: 'Damaged sign', perDay: 1.5, perMm: 0.05, medianHours: 160 },
  { code: 'drain', name: 'Blocked drain', perDay: 0.5, perMm: 0.8, medianHours: 40 },
] as const

/** One in this many issues is never closed. */
const neverClosedOneIn = 25

/** Makes the 311 issues of a day (days since 1970-01-01). Rain causes potholes and blocked drains. */
export function makeDayIssues(city: City, seed: number, day: number, nowMs: number): IssueReport[] {
  const random = createRandom(hashNumbers(seed, day, 311))
  const clock = civilClock(city.timezone)
  const { precipitation } = makeDailyWeather(seed, day)
  const { edges, lon0, lat0 } = city.streets
  const place = new Float64Array(2)
  const reports: IssueReport[] = []
  for (const { code, name, perDay, perMm, medianHours } of services) {
    const count = Math.round(Math.max(0, perDay + perMm * precipitation) * (0.5 + random()))
    for (let index = 0; index < count; index++) {
      const edge = edges[Math.floor(random() * edges.length)]
      if (!edge) continue
      placeOnEdge(edge, random() * edge.length, place)
      const [lon, lat] = toDegrees(lon0, lat0, [place[0] ?? 0, place[1] ?? 0])
      // From 6 a.m. to 10 p.m., most around 2 p.m.
      const requested = clock.instant(day, 3600 * (6 + 8 * (random() + random()))).ms
      const hours = medianHours * Math.exp(0.9 * (random() + random() + random() - 1.5) * 2)
      const closed =
        random() * neverClosedOneIn < 1 || requested + hours * hourMs > nowMs
          ? null
          : requested + Math.round(hours * hourMs)
      if (requested > nowMs) continue
      reports.push({
        issueId: `${dayFromNumber(day).replaceAll('-', '')}-${code}-${index + 1}`,
        serviceCode: code,
        serviceName: name,
        description: '',
        status: closed === null ? 'open' : 'closed',
        sourceStatus: closed === null ? 'Open' : 'Closed',
        requested,
        updated: closed ?? requested,
        closed,
        address: null,
        lat,
        lon,
        districts: edge.district ? { neighborhood: edge.district } : {},
      })
    }
  }
  return reports
}

interface Span {
  regionId: string
  city: City
  seed: number
  /** Days since 1970-01-01, half-open. */
  from: number
  until: number
  at: Date
}

/** Stores the weather of all days and the 311 issues of the last half year. Returns the number of issues. */
export async function storeDemoIssues(
  { state }: Pick<App, 'state'>,
  scope: Scope,
  { regionId, city, seed, from, until, at }: Span,
): Promise<number> {
  const context = { regionId, source: fileSource, observed: at.getTime(), importId: null }
  const days = Array.from({ length: until - from }, (_, offset) => from + offset)
  const weather = days.map((day) => {
    const { temperatureMax, temperatureMin, precipitation } = makeDailyWeather(seed, day)
    return {
      day: dayFromNumber(day),
      kind: 'measured' as const,
      place: `${city.name} harbor (made up)`,
      station: '',
      figures: {
        temperature_max_c: temperatureMax,
        temperature_min_c: temperatureMin,
        precipitation_mm: precipitation,
      },
    }
  })
  await storeWeather(state, scope, context, weather)
  const issues = days.slice(-182).flatMap((day) => makeDayIssues(city, seed, day, at.getTime()))
  await storeIssues(state, scope, context, issues)
  return issues.length
}
