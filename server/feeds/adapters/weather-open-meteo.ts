import { dayFromNumber, dayMs, LocalDay, localDay } from '#contract/period.ts'
import type { WeatherFigure } from '#contract/weather.ts'
import { maxRawLength, noRecords } from '#server/fleet/events/feed-records.ts'
import type { DayWeather } from '#server/weather/day-weather.ts'
import { toPlainText } from '#server/table-files/plain-text.ts'
import {
  type Adapter,
  type AdapterFeed,
  type PullWindow,
  type ReadResult,
  UnreadableBody,
} from './adapter.ts'
import { parseJsonObject, decodeBody, isObject } from './response-body.ts'

/** The variables of Open-Meteo and the figures that they are stored as. */
const figures: Readonly<Record<string, WeatherFigure>> = {
  precipitation_sum: 'precipitation_mm',
  snowfall_sum: 'snowfall_mm',
  temperature_2m_max: 'temperature_max_c',
  temperature_2m_min: 'temperature_min_c',
  temperature_2m_mean: 'temperature_mean_c',
  wind_speed_10m_max: 'wind_max_kmh',
}

/** Conversions from the units of Open-Meteo to those of `WeatherFigure`. */
const unitConversions: ReadonlyMap<unknown, (value: number) => number> = new Map(
  Object.entries({
    mm: (value: number) => value,
    cm: (value: number) => value * 10,
    inch: (value: number) => value * 25.4,
    '°C': (value: number) => value,
    '°F': (value: number) => ((value - 32) * 5) / 9,
    'km/h': (value: number) => value,
    'm/s': (value: number) => value * 3.6,
    'mp/h': (value: number) => value * 1.609344,
    mph: (value: number) => value * 1.609344,
    kn: (value: number) => value * 1.852,
  }),
)

const publicHost = 'api.open-meteo.com'

/** Returns the base URL of a stream. The public service has a host for each; private ones may have one. */
function buildBaseUrl(feed: AdapterFeed, stream: string): URL {
  const url = new URL(feed.url || `https://${publicHost}`)
  if (url.hostname === publicHost && stream === 'archive') url.hostname = `archive-${publicHost}`
  if (url.hostname === `archive-${publicHost}` && stream === 'recent') url.hostname = publicHost
  url.pathname = `${url.pathname.replace(/\/v1(\/.*)?$/, '').replace(/\/+$/, '')}/v1/${stream === 'archive' ? 'archive' : 'forecast'}`
  return url
}

const daySeconds = 86_400
/** 2100-01-01, in seconds since 1970. */
const endOfCentury = 4_102_444_800

/** Parses the local day of a time of Open-Meteo, a date or seconds since 1970; null if it is invalid. */
function parseDay(time: unknown, offsetSeconds: number): string | null {
  if (typeof time !== 'number') return LocalDay.safeParse(time).data ?? null
  if (!(time > 0 && time < endOfCentury)) return null
  const validOffset = Math.abs(offsetSeconds) <= daySeconds ? offsetSeconds : 0
  return dayFromNumber(Math.floor((time + validOffset) / daySeconds))
}

/** Reads days of weather. Invalid values get a finding. */
function readDays(feed: AdapterFeed, stream: string, bytes: Uint8Array, received: number): ReadResult {
  const body = parseJsonObject(decodeBody(bytes))
  if (body['error'] === true)
    throw new UnreadableBody(`The server responded with an error: ${toPlainText(body['reason'], 200)}`)
  const daily = body['daily']
  const units = body['daily_units']
  if (!isObject(daily) || !Array.isArray(daily['time']) || !isObject(units))
    throw new UnreadableBody('The response contains no days of Open-Meteo.')
  const records = noRecords()
  const today = localDay(new Date(received), feed.timezone)
  const days = daily['time'].flatMap((time: unknown, index): DayWeather[] => {
    const addFinding = (field: string, reason: string): void =>
      void records.findings.push({
        kind: 'schema',
        recordId: toPlainText(time, 40),
        field: `daily.${field}[${index}]`,
        reason,
        raw: JSON.stringify(
          Object.fromEntries(
            Object.entries(daily).map(([name, list]) => [
              name,
              Array.isArray(list) ? (list[index] ?? null) : null,
            ]),
          ),
        ).slice(0, maxRawLength),
      })
    const day = parseDay(time, Number(body['utc_offset_seconds']) || 0)
    if (day === null) {
      addFinding('time', 'The date is not valid.')
      return []
    }
    const dayFigures: DayWeather['figures'] = {}
    for (const [name, figure] of Object.entries(figures)) {
      const list = daily[name]
      const value: unknown = Array.isArray(list) ? list[index] : null
      const convert = unitConversions.get(units[name])
      if (value === null || value === undefined) continue
      if (typeof value !== 'number' || !Number.isFinite(value) || !convert)
        addFinding(
          name,
          convert ? 'It is not a number.' : `The unit ${toPlainText(units[name], 20)} is not known.`,
        )
      else dayFigures[figure] = Math.round(convert(value) * 100) / 100
    }
    if (!Object.keys(dayFigures).length) return []
    return [
      {
        day,
        kind: stream === 'archive' || day < today ? 'modelled' : 'forecast',
        place: 'Open-Meteo',
        station: '',
        figures: dayFigures,
      },
    ]
  })
  return { records, next: null, other: days }
}

/**
 * Daily weather of Open-Meteo at the region's center: past months from its archive; the last two weeks and
 * the next three days from its forecast.
 */
export const weatherOpenMeteo: Adapter = {
  kind: 'weather',
  versions: ['open_meteo'],
  streams: () => [
    { name: 'recent', window: 'now' },
    { name: 'archive', window: 'month' },
  ],
  request(feed, stream, pullWindow: PullWindow) {
    const url = buildBaseUrl(feed, stream)
    const query = {
      latitude: String(feed.lat),
      longitude: String(feed.lon),
      daily: Object.keys(figures).join(','),
      timezone: feed.timezone,
      ...(stream === 'archive'
        ? {
            start_date: localDay(new Date(pullWindow.from), feed.timezone),
            end_date: localDay(new Date(pullWindow.until - 1), feed.timezone),
          }
        : { past_days: '14', forecast_days: '3' }),
    }
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return { url: url.href, headers: { accept: 'application/json' } }
  },
  // The archive is some days behind; until then a request of the month fails.
  readiness: (status, stream, pullWindow, now) =>
    status === 400 && stream === 'archive' && now < pullWindow.until + 14 * dayMs ? 'not_yet' : undefined,
  read: readDays,
}
