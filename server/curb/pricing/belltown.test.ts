import fs from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createGunzip, gunzipSync } from 'node:zlib'
import Papa from 'papaparse'
import { beforeAll, describe, expect, it } from 'vitest'
import { startOfDay } from '#contract/civil-clock.ts'
import type { CdsPolicy } from '#contract/cds.ts'
import type { BandOccupancy } from '#contract/curb-occupancy.ts'
import type { PricingParameters } from '#contract/curb-pricing-parameters.ts'
import { pricingPresets } from '#contract/curb-pricing-presets.ts'
import { CurbSettings } from '#contract/curb-settings.ts'
import { dayNumber, getWeekday } from '#contract/period.ts'
import { systemScope } from '#server/identity/scope.ts'
import { CurbIndex, type IndexedZone } from '../store/curb-index.ts'
import { runBackTests } from './back-test.ts'
import type { ReadBandOccupancy } from './propose-rates.ts'

const folder = fileURLToPath(new URL('../../../../shared/data/curb/seattle/', import.meta.url))
const hasData = fs.existsSync(folder)
if (!hasData) console.warn('Skipped: rates of Belltown, Seattle, which are not at ../shared/data')

const timezone = 'America/Los_Angeles'
const changeDay = '2016-07-21'
const bands = ['morning', 'midday', 'evening'] as const
type Band = (typeof bands)[number]

/** Returns the band of an hour of the day; null if parking is free. */
function findBand(hour: number): Band | null {
  if (hour < 8 || hour >= 20) return null
  if (hour < 11) return 'morning'
  return hour < 17 ? 'midday' : 'evening'
}

type Block = Record<string, string>
/** Reads the hourly rates of the three bands on weekdays, in cents. */
const readRates = (block: Block): number[] =>
  [1, 2, 3].map((number) => Math.round(Number(block[`WeekdayRate${number}`]) * 100))

/** Reads blocks with paid parking both before and after the change, with their rates. */
function readBlocks(): { key: string; before: number[]; after: number[] }[] {
  const text = gunzipSync(fs.readFileSync(`${folder}belltown_block_info.csv.gz`)).toString()
  const blocks = Papa.parse<Block>(text, { header: true, skipEmptyLines: true }).data
  const before = new Map(
    blocks.flatMap((block) =>
      block['EffectiveEndDate'] === '20-JUL-16' ? [[block['ElementKey'], block]] : [],
    ),
  )
  return blocks.flatMap((block) => {
    const earlierBlock = before.get(block['ElementKey'])
    const isPaid = block['ParkingCategory'] === 'Paid Parking'
    if (!earlierBlock || !isPaid || block['EffectiveStartDate'] !== '21-JUL-16') return []
    return [{ key: block['ElementKey'] ?? '', before: readRates(earlierBlock), after: readRates(block) }]
  })
}

/** Reads mean paid load by band, Monday to Friday, before the change and until the next one. */
async function readLoads(): Promise<Record<'before' | 'after', Record<Band, number>>> {
  const sums = new Map<string, { sum: number; count: number }>()
  const input = fs.createReadStream(`${folder}belltown_hourly_paid_load.csv.gz`).pipe(createGunzip())
  const weekdays = new Map<string, boolean>()
  for await (const line of createInterface({ input })) {
    const [, time = '', load = ''] = line.split(',')
    const day = time.slice(0, 10)
    const band = findBand(Number(time.slice(11, 13)))
    if (!band || load === '' || day >= '2017-07-01' || !day.startsWith('20')) continue
    const isWeekday = weekdays.get(day) ?? getWeekday(day) <= 5
    weekdays.set(day, isWeekday)
    if (!isWeekday) continue
    const key = `${day < changeDay ? 'before' : 'after'} ${band}`
    const total = sums.get(key) ?? { sum: 0, count: 0 }
    total.sum += Number(load)
    total.count += 1
    sums.set(key, total)
  }
  const getMeans = (period: 'before' | 'after') =>
    Object.fromEntries(
      bands.map((band) => {
        const { sum = 0, count = 1 } = sums.get(`${period} ${band}`) ?? {}
        return [band, sum / count]
      }),
    ) as Record<Band, number>
  return { before: getMeans('before'), after: getMeans('after') }
}

const timesByBand = {
  morning: ['08:00', '11:00'],
  midday: ['11:00', '17:00'],
  evening: ['17:00', '20:00'],
} as const

/** Creates a curb of the blocks with the history of their rates. */
function createIndex(blocks: ReturnType<typeof readBlocks>): CurbIndex {
  const policies = new Map<string, CdsPolicy>()
  const addPolicy = (band: Band, rate: number): string => {
    const id = `${band} ${rate}`
    const [start, end] = timesByBand[band]
    policies.set(id, {
      curb_policy_id: id,
      published_date: 0,
      priority: 80,
      rules: [{ activity: 'parking', rate: [{ rate, rate_unit: 'hour' }] }],
      time_spans: [
        { days_of_week: ['mon', 'tue', 'wed', 'thu', 'fri'], time_of_day_start: start, time_of_day_end: end },
      ],
    })
    return id
  }
  const start = startOfDay('2015-04-23', timezone)
  const changeMs = startOfDay(changeDay, timezone)
  const zones = blocks.map(({ key }): IndexedZone => ({
    id: key,
    shapeId: key,
    inventoryId: '',
    label: key,
    streetName: key,
    side: null,
    geometry: { type: 'Point', coordinates: [0, 0] },
    box: [0, 0, 0, 0],
    lengthCm: 6000,
    from: start,
    to: null,
  }))
  const terms = blocks.flatMap(({ key, before, after }) =>
    bands.flatMap((band, index) => [
      { zoneIds: [key], policyId: addPolicy(band, before[index] ?? 0), from: start, to: changeMs },
      { zoneIds: [key], policyId: addPolicy(band, after[index] ?? 0), from: changeMs, to: null },
    ]),
  )
  return new CurbIndex({
    regionId: 'seattle',
    version: 1,
    timezone,
    currency: 'USD',
    settings: CurbSettings.parse({}),
    zones,
    policies,
    terms,
  })
}

describe.skipIf(!hasData)('Belltown, 2016-07-21 (skipped where ../shared/data is absent)', () => {
  let blocks: ReturnType<typeof readBlocks>
  let loads: Awaited<ReturnType<typeof readLoads>>
  beforeAll(async () => {
    blocks = readBlocks()
    loads = await readLoads()
  }, 60_000)

  /** Runs back-tests with the load of the area, times a factor, for each block: Seattle sets rates by area. */
  const runBackTest = (factor: number) => {
    const seattle = pricingPresets.find(({ key }) => key === 'seattle')!
    const parameters: PricingParameters = {
      ...seattle.fields,
      day_types: [{ key: 'weekday', weekdays: [1, 2, 3, 4, 5] }],
      preset: 'seattle',
      start_date: '2016-01-01',
      end_date: '2016-07-20',
      excluded_days: [],
      kinds: ['paid'],
      paid_reason: 'The only occupancy of that time; times a factor that is stated in the test',
      min_days: 10,
      min_coverage: 0.5,
      curb_zone_ids: null,
      effective_date: changeDay,
    }
    const readLoad: ReadBandOccupancy = () =>
      Promise.resolve(
        blocks.flatMap(({ key }) =>
          bands.map((band): BandOccupancy => ({
            zone_id: key,
            band,
            day_type: 'weekday',
            occupancy: loads.before[band] * factor,
            days: dayNumber(parameters.end_date) - dayNumber(parameters.start_date),
            coverage: 1,
            capacity: 8,
            kind: 'paid',
            interval: null,
          })),
        ),
      )
    const request = { scope: systemScope, signal: new AbortController().signal }
    return runBackTests(readLoad, createIndex(blocks), request, { parameters, compared_day: '2016-07-22' })
  }

  it('has 163 blockfaces that went from $1.50 to $1.00 in the morning, unchanged at midday and in the evening', () => {
    expect(blocks).toHaveLength(163)
    for (const { before, after } of blocks)
      expect([before, after]).toEqual([
        [150, 150, 150],
        [100, 150, 150],
      ])
  })

  it('has the lowest load in the morning, which hardly rose after the change', () => {
    expect(loads.before.morning).toBeCloseTo(0.347, 3)
    expect(loads.after.morning).toBeCloseTo(0.357, 3)
    expect(loads.before.morning).toBeLessThan(Math.min(loads.before.midday, loads.before.evening))
  })

  it("proposes the city's actual rates to the cent from calibrated load", async () => {
    const result = await runBackTest(1.4)
    expect(result).toMatchObject({ rows: 489, refused: 0, same_rate: 489 })
    expect(result.directions).toContainEqual({ proposed: 'down', actual: 'down', rows: 163 })
    expect(result.directions).toContainEqual({ proposed: 'unchanged', actual: 'unchanged', rows: 326 })
  })

  it('would also lower midday and evening rates from raw payments, which is why those need a reason', async () => {
    const result = await runBackTest(1)
    expect(result.same_rate).toBe(163)
    expect(result.directions).toContainEqual({ proposed: 'down', actual: 'unchanged', rows: 326 })
  })
})
