import { dayFromNumber, LocalDay, localDay } from '#contract/period.ts'
import type { WeatherFigure } from '#contract/weather.ts'
import { noRecords } from '#server/fleet/events/feed-records.ts'
import type { DayWeather } from '#server/weather/day-weather.ts'
import { type Adapter, type AdapterFeed, type PullWindow, type Read, UnreadableBody } from './adapter.ts'
import { plainText } from '#server/table-files/plain-text.ts'
import { answerObject, answerText, isObject } from './answer-body.ts'

const figures: Readonly<Record<string, WeatherFigure>> = {
  precipitation_sum: 'precipitation_mm',
  snowfall_sum: 'snowfall_mm',
  temperature_2m_max: 'temperature_max_c',
  temperature_2m_min: 'temperature_min_c',
  temperature_2m_mean: 'temperature_mean_c',
  wind_speed_10m_max: 'wind_max_kmh',
}

/** Conversions from each unit of Open-Meteo. */
const inOurUnits: ReadonlyMap<unknown, (value: number) => number> = new Map(
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

/** The address of a service: the public one has two hosts, a private one may serve both. */
function baseOf(feed: AdapterFeed, stream: string): URL {
  const url = new URL(feed.url || `https://${publicHost}`)
  if (url.hostname === publicHost && stream === 'archive') url.hostname = `archive-${publicHost}`
  if (url.hostname === `archive-${publicHost}` && stream === 'recent') url.hostname = publicHost
  url.pathname = `${url.pathname.replace(/\/v1(\/.*)?$/, '').replace(/\/+$/, '')}/v1/${stream === 'archive' ? 'archive' : 'forecast'}`
  return url
}

/** Local day of a time of Open-Meteo: a date, or seconds since 1970. Null if invalid. */
function dayOf(time: unknown, offsetSeconds: number): string | null {
  if (typeof time === 'number')
    return time > 0 && time < 4_102_444_800
      ? dayFromNumber(Math.floor((time + (Math.abs(offsetSeconds) <= 86_400 ? offsetSeconds : 0)) / 86_400))
      : null
  return LocalDay.safeParse(time).data ?? null
}

function readDays(feed: AdapterFeed, stream: string, bytes: Uint8Array, received: number): Read {
  const body = answerObject(answerText(bytes))
  if (body['error'] === true)
    throw new UnreadableBody(`The server answers an error: ${plainText(body['reason'], 200)}`)
  const [daily, units] = [body['daily'], body['daily_units']]
  if (!isObject(daily) || !Array.isArray(daily['time']) || !isObject(units))
    throw new UnreadableBody('The response holds no days of Open-Meteo.')
  const records = noRecords()
  const today = localDay(new Date(received), feed.timezone)
  const days = daily['time'].flatMap((time: unknown, at): DayWeather[] => {
    const bad = (field: string, reason: string): void =>
      void records.findings.push({
        kind: 'schema',
        recordId: plainText(time, 40),
        field: `daily.${field}[${at}]`,
        reason,
        raw: JSON.stringify(
          Object.fromEntries(
            Object.entries(daily).map(([name, list]) => [
              name,
              Array.isArray(list) ? (list[at] ?? null) : null,
            ]),
          ),
        ).slice(0, 2000),
      })
    const day = dayOf(time, Number(body['utc_offset_seconds']) || 0)
    if (day === null) {
      bad('time', 'The date is not valid.')
      return []
    }
    const found: DayWeather['figures'] = {}
    for (const [name, figure] of Object.entries(figures)) {
      const list = daily[name]
      const value: unknown = Array.isArray(list) ? list[at] : null
      const unit = inOurUnits.get(units[name])
      if (value === null || value === undefined) continue
      if (typeof value !== 'number' || !Number.isFinite(value) || !unit)
        bad(name, unit ? 'It is not a number.' : `The unit ${plainText(units[name], 20)} is not known.`)
      else found[figure] = Math.round(unit(value) * 100) / 100
    }
    if (!Object.keys(found).length) return []
    return [
      {
        day,
        kind: stream === 'archive' || day < today ? 'modelled' : 'forecast',
        place: 'Open-Meteo',
        station: '',
        figures: found,
      },
    ]
  })
  return { records, next: null, other: days }
}

/** Daily weather of Open-Meteo at the region's center: past months from its archive, the last two weeks and the next three days as they are now. */
export const weatherOpenMeteo: Adapter = {
  kind: 'weather',
  versions: ['open_meteo'],
  streams: () => [
    { name: 'recent', by: 'now' },
    { name: 'archive', by: 'month' },
  ],
  request(feed, stream, pullWindow: PullWindow) {
    const url = baseOf(feed, stream)
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
  // The archive is some days behind: until then the month does not exist there.
  readiness: (status, stream, pullWindow, now) =>
    status === 400 && stream === 'archive' && now < pullWindow.until + 14 * 86_400_000
      ? 'not_yet'
      : undefined,
  read: readDays,
}
