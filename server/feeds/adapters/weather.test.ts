import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayMs } from '#contract/period.ts'
import { type AdapterFeed, UnreadableBody } from './adapter.ts'
import { weatherGhcn } from './weather-ghcn.ts'
import { weatherOpenMeteo } from './weather-open-meteo.ts'

const makeFeed = (url = ''): AdapterFeed => ({
  feedId: 'f',
  regionId: 'alder',
  operator: '',
  providerId: '',
  version: 'open_meteo',
  url,
  settings: {},
  timezone: 'America/Los_Angeles',
  lat: 45.5,
  lon: -122.7,
})
const received = Date.UTC(2026, 7, 2, 6)
const month = { from: Date.UTC(2026, 5, 1, 7), until: Date.UTC(2026, 6, 1, 7) }

/** Returns the error that a call throws; null if it throws none. */
function catchError(readBody: () => unknown): unknown {
  try {
    readBody()
    return null
  } catch (error) {
    return error
  }
}
const isNullOrUnreadable = (error: unknown): boolean => error === null || error instanceof UnreadableBody

describe('Open-Meteo', () => {
  const makeBody = (daily: Record<string, unknown>, units: Record<string, string> = {}) => ({
    utc_offset_seconds: -25_200,
    daily_units: {
      time: 'iso8601',
      precipitation_sum: 'mm',
      snowfall_sum: 'cm',
      temperature_2m_max: '°C',
      temperature_2m_min: '°C',
      wind_speed_10m_max: 'km/h',
      ...units,
    },
    daily,
  })
  const read = (body: unknown, stream = 'recent') =>
    weatherOpenMeteo.read(
      makeFeed(),
      stream,
      Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      received,
    )

  it('requests the region’s center and local days', () => {
    const archive = new URL(weatherOpenMeteo.request(makeFeed(), 'archive', month).url)
    expect(archive.origin + archive.pathname).toBe('https://archive-api.open-meteo.com/v1/archive')
    expect(Object.fromEntries(archive.searchParams)).toMatchObject({
      latitude: '45.5',
      longitude: '-122.7',
      start_date: '2026-06-01',
      end_date: '2026-06-30',
      timezone: 'America/Los_Angeles',
    })
    expect(
      weatherOpenMeteo.request(makeFeed('https://archive-api.open-meteo.com/v1/archive'), 'recent', month)
        .url,
    ).toMatch(/^https:\/\/api\.open-meteo\.com\/v1\/forecast\?.*past_days=14/)
    expect(weatherOpenMeteo.request(makeFeed('https://weather.example/own'), 'archive', month).url).toMatch(
      /^https:\/\/weather\.example\/own\/v1\/archive\?/,
    )
  })

  it('converts units; days before today are modeled, today and later days are forecasts', () => {
    const { records, other } = read(
      makeBody({
        time: ['2026-07-31', '2026-08-01', '2026-08-02'],
        precipitation_sum: [1.2, null, 0.5],
        snowfall_sum: [0.7, 0, 0],
        temperature_2m_max: [30.1, 28, null],
      }),
    )
    expect(records.findings).toEqual([])
    expect(other).toEqual([
      {
        day: '2026-07-31',
        kind: 'modelled',
        place: 'Open-Meteo',
        station: '',
        figures: { precipitation_mm: 1.2, snowfall_mm: 7, temperature_max_c: 30.1 },
      },
      {
        day: '2026-08-01',
        kind: 'forecast',
        place: 'Open-Meteo',
        station: '',
        figures: { snowfall_mm: 0, temperature_max_c: 28 },
      },
      {
        day: '2026-08-02',
        kind: 'forecast',
        place: 'Open-Meteo',
        station: '',
        figures: { precipitation_mm: 0.5, snowfall_mm: 0 },
      },
    ])
    const american = makeBody(
      { time: [1_785_481_200], precipitation_sum: [1], temperature_2m_max: [50], wind_speed_10m_max: [10] },
      { time: 'unixtime', precipitation_sum: 'inch', temperature_2m_max: '°F', wind_speed_10m_max: 'mp/h' },
    )
    expect(read(american, 'archive').other).toMatchObject([
      {
        day: '2026-07-31',
        kind: 'modelled',
        figures: { precipitation_mm: 25.4, temperature_max_c: 10, wind_max_kmh: 16.09 },
      },
    ])
  })

  it('reports unreadable values as findings', () => {
    const { records, other } = read(
      makeBody(
        {
          time: ['2026-02-30', 'x', '2026-07-01'],
          precipitation_sum: [1, 1, 'wet'],
          temperature_2m_max: [1, 1, 20],
          snowfall_sum: [0, 0, 1],
        },
        { snowfall_sum: 'feet' },
      ),
    )
    expect(records.findings.map(({ field }) => field)).toEqual([
      'daily.time[0]',
      'daily.time[1]',
      'daily.precipitation_sum[2]',
      'daily.snowfall_sum[2]',
    ])
    expect(other).toMatchObject([{ figures: { temperature_max_c: 20 } }])
    expect(() => read({ error: true, reason: 'Latitude must be in range' })).toThrow(/Latitude must/)
    for (const body of ['<html>', '', '[]', '{}', '{"daily":{"time":1}}'])
      expect(() => read(body)).toThrow(UnreadableBody)
  })

  it('waits for a month until the archive contains it', () => {
    expect(weatherOpenMeteo.readiness?.(400, 'archive', month, month.until + dayMs)).toBe('not_yet')
    expect(weatherOpenMeteo.readiness?.(400, 'archive', month, month.until + 30 * dayMs)).toBeUndefined()
    expect(weatherOpenMeteo.readiness?.(400, 'recent', month, month.until)).toBeUndefined()
  })

  it('reports names such as toString as unreadable, like any unknown unit', () => {
    for (const unexpected of [
      { toString: '' },
      'constructor',
      'toString',
      null,
      [],
      true,
    ] as unknown as string[]) {
      const { records, other } = read(
        makeBody(
          { time: ['2026-07-01', unexpected], precipitation_sum: [1, 2] },
          { precipitation_sum: unexpected },
        ),
      )
      expect(other).toEqual([])
      expect(records.findings.map(({ field }) => field)).toEqual([
        'daily.precipitation_sum[0]',
        'daily.time[1]',
      ])
      expect(() => read({ error: true, reason: unexpected })).toThrow(UnreadableBody)
    }
  })

  it('a body never causes an unexpected error', () => {
    const list = fc.oneof(
      fc.array(fc.oneof(fc.jsonValue(), fc.constant('2026-07-01'), fc.double())),
      fc.jsonValue(),
    )
    fc.assert(
      fc.property(
        fc.record({
          daily: fc.dictionary(fc.constantFrom('time', 'precipitation_sum', 'temperature_2m_max'), list),
          daily_units: fc.jsonValue(),
        }),
        (body) => void expect(catchError(() => read(body))).toSatisfy(isNullOrUnreadable),
      ),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 200) },
    )
  })
})

describe('GHCN-Daily', () => {
  const read = (text: string) =>
    weatherGhcn.read(makeFeed('https://noaa.example/station.csv'), 'station', Buffer.from(text), received)
  it('reads all layouts of GHCN-Daily', () => {
    expect(
      read(
        '"STATION","DATE","NAME","PRCP","PRCP_ATTRIBUTES"\n"X","2018-07-30","PORTLAND, OR","127",",,W"\n"X","2018-07-31","PORTLAND, OR","wet",",,W"\n',
      ).other,
    ).toMatchObject([{ day: '2018-07-30', place: 'PORTLAND, OR', figures: { precipitation_mm: 12.7 } }])
    expect(read('USW00024229,20180731,PRCP,127,,,W,\nUSW00024229,20180731,TMAX,301,,,W,\n').other).toEqual([
      {
        day: '2018-07-31',
        kind: 'measured',
        place: 'USW00024229',
        station: 'USW00024229',
        figures: { precipitation_mm: 12.7, temperature_max_c: 30.1 },
      },
    ])
    expect(read(`USW00024229201807TMAX${'  301  W'.repeat(31)}\nno such line\n`)).toMatchObject({
      records: { findings: [{ recordId: '2', kind: 'schema' }] },
      other: { length: 31 },
    })
  })

  it('reports invalid lines as findings with line numbers', () => {
    expect(
      read('STATION,DATE,PRCP\nX,2018-07-30,0.10\nX,2018-02-30,0.10\nX,2018-07-31\n').records.findings.map(
        ({ recordId, reason }) => [recordId, reason],
      ),
    ).toEqual([
      ['3', 'The date is not valid (2018-02-30).'],
      ['4', expect.stringContaining('fields')],
    ])
  })

  it('distinguishes GHCN-Daily from other responses', () => {
    for (const text of ['<html>', '', 'a,b,c\n1,2,3', 'no']) expect(() => read(text)).toThrow(UnreadableBody)
  })
})
