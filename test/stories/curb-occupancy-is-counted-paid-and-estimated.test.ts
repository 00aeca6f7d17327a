// Counts are imported as files; occupancy is measured, paid or estimated. Expected sums are computed by hand.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CdsPolicyContent } from '#contract/cds.ts'
import { createCalibration, listCalibrations, recordCurbChange } from '#contract/curb-calibration.ts'
import * as counts from '#contract/curb-counts.ts'
import * as contract from '#contract/curb-occupancy.ts'
import { readBandOccupancy } from '#server/curb/occupancy/band-occupancy.ts'
import { systemScope } from '#server/identity/scope.ts'
import { facts, sql } from '#server/stores/sql.ts'
import { insertRegion } from '../store-region.ts'
import { call, openTestApp, readProblem, send, type TestApp } from '../app.ts'
import { addRules } from '../curb/add-rules.ts'
import { whenCurbIsDerived } from '../curb-zones.ts'
import { makePeople, type TestCity } from '../city.ts'
import { type MadeZone, makeZones } from '../curb/make-zones.ts'

const region_id = 'downtown'
const params = { region_id }
let app: TestApp
let city: TestCity
let zones: MadeZone[]

beforeAll(async () => {
  app = await openTestApp()
  city = await makePeople(app)
  const organization_id = city.organizations.alder
  await insertRegion(app.state, {
    organization_id,
    region_id,
    lat: 41,
    lon: -72,
    timezone: 'America/New_York',
  })
  ;({ zones } = await makeZones(app.state, region_id, { lon: -72, lat: 41, capacities: [2, 4, 5] }))
  // Zones 1 and 2 require payment from Monday to Saturday, 8:00 to 18:00; zone 3 has no rules.
  const paid: CdsPolicyContent = {
    priority: 1,
    rules: [{ activity: 'parking', rate: [{ rate: 200, rate_unit: 'hour' }] }],
    time_spans: [
      {
        days_of_week: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
        time_of_day_start: '08:00',
        time_of_day_end: '18:00',
      },
    ],
  }
  for (const { zoneId } of zones.slice(0, 2)) await addRules(app.state, region_id, zoneId, [paid])
})
afterAll(() => app.close())

const getZoneId = (number: number): string => zones[number - 1]?.zoneId ?? ''

async function upload(file_name: string, text: string, query: object = {}): Promise<counts.CountImport> {
  const { import_id } = await call(app, city.admin, counts.uploadCounts, {
    params,
    query: { file_name, ...query },
    body: Buffer.from(text.trim()),
  })
  return waitForImport(import_id)
}
async function waitForImport(import_id: string): Promise<counts.CountImport> {
  for (;;) {
    const found = await call(app, city.viewer, counts.getCountImport, { params: { region_id, import_id } })
    if (found.status !== 'staging') return found
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
}
async function publish(import_id: string): Promise<void> {
  await call(app, city.admin, counts.publishCounts, { params: { region_id, import_id } })
  await whenCurbIsDerived(app)
}
const readOccupancy = (kind: contract.OccupancyKind, query: object = {}) =>
  call(app, city.viewer, contract.getOccupancy, {
    params,
    query: { kind, start_date: '2024-05-06', end_date: '2024-05-07', ...query },
  })

/** A survey of Tuesday, 7 May 2024, with invented plates. */
const survey = `
Segment,Street Name,8:00 AM,9:00 AM,10:00 AM,7:00 PM
Zone 1,Main St,7AB,,7AB,
Zone 1,Main St,8CD,,8CD,
Zone 2,Main St,1XY,1XY,Blocked,1XY
Zone 2,Main St,2XY,2XY,Construction,2XY
Zone 2,Main St,3XY,,3XY,
Zone 2,Main St,,,,
Elsewhere,Nowhere Ln,4XY,4XY,4XY,4XY`.replaceAll('Segment', 'Location Name')

describe('an occupancy survey', () => {
  let surveyId = ''

  it('is staged with a report, and places without a zone are set aside', async () => {
    const noDay = await send(app, city.admin, counts.uploadCounts, {
      params,
      query: { file_name: 'survey.csv' },
      body: Buffer.from(survey),
    })
    expect([noDay.statusCode, readProblem(noDay).detail]).toEqual([
      422,
      'The survey has no date. Send it again with the day on which it was made.',
    ])
    const staged = await upload('survey.csv', survey, { date: '2024-05-07' })
    surveyId = staged.import_id
    expect(staged).toMatchObject({
      status: 'staged',
      layout: 'survey',
      rows: 7,
      accepted: 6,
      rejected: 1,
      codes: { unknown_place: 1 },
      places: 3,
      matched_places: 2,
      first_day: '2024-05-07',
    })
    expect(staged.matched_share).toBeCloseTo(6 / 7, 9)
    // In all zones: at 8:00, 6 of 7 spaces; at 10:00, 4 of 5.
    expect(
      staged.profile.map(({ hour, occupied_hours, known_hours }) => [hour, occupied_hours, known_hours]),
    ).toEqual([
      [8, 6, 7],
      [9, 3, 7],
      [10, 4, 5],
      [19, 3, 7],
    ])
    const { items } = await call(app, city.viewer, counts.listCountPlaces, {
      params: { region_id, import_id: surveyId },
    })
    expect(items.map(({ label, match, zone_ids }) => [label, match, zone_ids])).toEqual([
      ['Elsewhere', 'none', []],
      ['Zone 2', 'name', [getZoneId(2)]],
      ['Zone 1', 'name', [getZoneId(1)]],
    ])
  })

  it('counts after it is published, and no plate is stored', async () => {
    expect((await readOccupancy('measured')).zones).toEqual([])
    await publish(surveyId)
    const {
      total,
      zones: found,
      calendar,
      targets,
    } = await readOccupancy('measured', {
      start_date: '2024-05-07',
      start_time_hour: 8,
      end_time_hour: 10,
      bands: '480-540,600-660',
    })
    // Zone 1: 2 of 2, 0 of 2, 2 of 2. Zone 2: 3 of 4, 2 of 4, 1 of 2 in service. Zone 3 was not counted.
    const byZone = new Map(found.map((zone) => [zone.curb_zone_id, zone]))
    expect(byZone.get(getZoneId(1))).toMatchObject({
      occupied_hours: 4,
      known_hours: 6,
      source: 'survey',
      capacity_basis: 'marked',
      coverage: 1,
      days: 1,
    })
    expect(byZone.get(getZoneId(2))).toMatchObject({ occupied_hours: 6, known_hours: 10, occupancy: 0.6 })
    expect(byZone.get(getZoneId(2))?.hours.slice(7, 12)).toEqual([null, 0.75, 0.5, 0.5, null])
    expect(byZone.get(getZoneId(3))).toMatchObject({ occupancy: null, coverage: 0, source: null })
    // Sums of numerators and denominators, not the mean of 66.7% and 60%.
    expect(total).toMatchObject({ occupied_hours: 10, known_hours: 16, occupancy: 0.625 })
    expect(total.coverage).toBeCloseTo(16 / 31, 6)
    expect(calendar.map(({ weekday, hour, occupancy: value }) => [weekday, hour, value])).toEqual([
      [2, 8, round(5 / 6)],
      [2, 9, round(2 / 6)],
      [2, 10, round(3 / 4)],
    ])
    expect(targets).toEqual([
      { band: '480-540', from: 480, until: 540, under: 0, within: 1, over: 1, unknown: 1 },
      { band: '600-660', from: 600, until: 660, under: 1, within: 0, over: 1, unknown: 1 },
    ])
    const stored = await app.facts.rows(systemScope, sql`select * from ${facts('curb_counts')}`)
    const tables = await Promise.all(
      (['curb_count_import', 'curb_count_finding', 'curb_count_place'] as const).map((table) =>
        app.state.as(systemScope).selectFrom(table).selectAll().execute(),
      ),
    )
    expect(JSON.stringify([stored, tables])).not.toMatch(/7AB|8CD|\dXY/)
  })

  it('has locations that a user links to a zone, and later files reuse the link', async () => {
    const changed = await call(app, city.admin, counts.matchCountPlaces, {
      params: { region_id, import_id: surveyId },
      body: { places: [{ place: 'Elsewhere', zone_ids: [getZoneId(3)] }] },
    })
    expect(changed).toMatchObject({ accepted: 7, rejected: 0, matched_places: 3, matched_share: 1 })
    await whenCurbIsDerived(app)
    const { zones: found } = await readOccupancy('measured', {
      zones: getZoneId(3),
      start_time_hour: 8,
      end_time_hour: 8,
    })
    // One space of five is known, less than half of the hour.
    expect(found).toMatchObject([{ occupancy: null, known_hours: 0 }])
    const again = await upload('other.csv', survey, { date: '2024-05-08' })
    expect(again.matched_places).toBe(3)
    await call(app, city.admin, counts.deleteCountImport, {
      params: { region_id, import_id: again.import_id },
    })
    expect(
      await app.facts.rows(
        systemScope,
        sql`select count() as n from ${facts('curb_counts')} where import_id = ${{ type: 'UUID', value: again.import_id }}`,
      ),
    ).toEqual([{ n: '0' }])
  })

  it('is undone as one change, and does not count afterward', async () => {
    await call(app, city.admin, counts.undoCounts, { params: { region_id, import_id: surveyId } })
    await whenCurbIsDerived(app)
    expect((await readOccupancy('measured')).total).toMatchObject({ occupancy: null, known_hours: 0 })
    const twice = await send(app, city.admin, counts.undoCounts, {
      params: { region_id, import_id: surveyId },
    })
    expect(twice.statusCode).toBe(409)
    const next = await upload('survey.csv', survey, { date: '2024-05-07' })
    expect(next.same_as).toBe(surveyId)
    await publish(next.import_id)
    expect((await readOccupancy('measured')).total.known_hours).toBe(22)
  })
})

describe('paid occupancy', () => {
  it('is computed for hours that require payment by the rules, not by zeros in the file', async () => {
    // Zone 1 at 8, 9, 10 and 19 o'clock; zone 2 at 8 and 9; Sunday is free.
    const staged = await upload(
      'paid.csv',
      `
ElementKey,LocalHour,PaidLoad
${getZoneId(1)},2024-05-07 08:00:00,0.5
${getZoneId(1)},2024-05-07 09:00:00,0
${getZoneId(1)},2024-05-07 10:00:00,1.5
${getZoneId(1)},2024-05-07 19:00:00,0
${getZoneId(2)},2024-05-07 08:00:00,0.25
${getZoneId(2)},2024-05-07 09:00:00,0.25
${getZoneId(2)},2024-05-05 09:00:00,0
${getZoneId(2)},2024-05-07 10:00:00,-1`,
    )
    expect(staged).toMatchObject({
      layout: 'paid_load',
      accepted: 7,
      codes: { negative: 1, above_capacity: 1 },
    })
    await publish(staged.import_id)
    const response = await readOccupancy('paid')
    const byZone = new Map(response.zones.map((zone) => [zone.curb_zone_id, zone]))
    expect(byZone.get(getZoneId(1))).toMatchObject({
      occupied_hours: 4,
      known_hours: 6,
      // Ten paid hours on Monday and on Tuesday, of which three are known.
      coverage: 0.15,
      is_over: true,
      source: 'payment',
    })
    expect(byZone.get(getZoneId(1))?.hours.slice(8, 11)).toEqual([0.5, 0, 1.5])
    expect(byZone.get(getZoneId(2))).toMatchObject({ occupied_hours: 2, known_hours: 8, occupancy: 0.25 })
    // Without rules it is unknown when payment is required.
    expect(byZone.has(getZoneId(3))).toBe(false)
    expect(response.total).toMatchObject({ occupied_hours: 6, known_hours: 14 })
    const sunday = await readOccupancy('paid', { start_date: '2024-05-05', end_date: '2024-05-05' })
    expect(sunday.zones).toEqual([])
    const types = await call(app, city.viewer, contract.getOccupancyDataTypes, { params })
    expect(types.items).toEqual([
      { kind: 'measured', sources: ['survey'], zones: 2, first_day: '2024-05-07', last_day: '2024-05-07' },
      { kind: 'paid', sources: ['payment'], zones: 2, first_day: '2024-05-07', last_day: '2024-05-07' },
    ])
  })

  it('is returned as statistics, legend, tile and CSV', async () => {
    const query = { kind: 'paid' as const, start_date: '2024-05-07', end_date: '2024-05-07' }
    const statistics = await call(app, city.viewer, contract.getParkingInsightsStatistics, { params, query })
    expect(statistics).toMatchObject({ zones: 2, zones_over: 1, total: { known_hours: 14 } })
    const legend = await call(app, city.viewer, contract.getParkingInsightsLegend, { params, query })
    // 66.7% and 25%.
    expect(legend.bins.map(({ count }) => count)).toEqual([0, 1, 0, 1, 0, 0])
    const csv = await send(app, city.viewer, contract.exportOccupancy, { params, query })
    expect(csv.body.split('\n')[1]).toContain(
      'Main St,N,Zone 1,paid,payment,2024-05-07,2024-05-07,1,2,marked,0.3,0.666667,4,6',
    )
    const side = 2 ** 14
    const mercator = (1 - Math.asinh(Math.tan((41 * Math.PI) / 180)) / Math.PI) / 2
    const [x, y] = [Math.floor(((180 - 71.9996) / 360) * side), Math.floor(mercator * side)]
    const tile = await send(app, city.viewer, contract.getOccupancyTile, {
      params: { ...params, z: 14, x, y },
      query: { ...query, v: legend.v },
    })
    expect([tile.statusCode, tile.headers['content-type'], tile.headers['cache-control']]).toEqual([
      200,
      'application/vnd.mapbox-vector-tile',
      'private, max-age=31536000, immutable',
    ])
  })
})

describe('estimated occupancy', () => {
  const bands = [
    { key: 'early', from: 480, until: 540 },
    { key: 'later', from: 540, until: 660 },
  ]
  const dayTypes = [{ key: 'weekday', weekdays: [1, 2, 3, 4, 5] }]
  const readBands = (kind: contract.OccupancyKind) =>
    readBandOccupancy({ state: app.state, facts: app.facts }, systemScope, {
      regionId: region_id,
      zoneIds: null,
      bands,
      dayTypes,
      from: '2024-05-06',
      until: '2024-05-07',
      excludedDays: ['2024-05-06'],
      kind,
    })

  it('does not exist without a calibration', async () => {
    expect((await readOccupancy('estimated')).total).toMatchObject({ occupancy: null, known_hours: 0 })
    expect((await readBands('estimated')).map(({ occupancy: value }) => value)).toEqual([
      null,
      null,
      null,
      null,
    ])
  })

  it('is paid occupancy by the ratio of counted to paid time, at most 100% of each hour', async () => {
    const made = await call(app, city.admin, createCalibration, {
      params,
      body: {
        name: 'Spring survey',
        bands,
        day_types: dayTypes,
        start_date: '2024-05-01',
        end_date: '2024-05-31',
      },
    })
    // 8:00: counted 2 + 3 of 6 spaces, paid 1 + 1. From 9:00: counted 0 + 2 + 2, paid 0 + 1 + 3 (zone 2 is not paid for at 10:00).
    expect(
      made.cells.map(({ band, k, n, counted_hours, paid_hours }) => [band, k, n, counted_hours, paid_hours]),
    ).toEqual([
      ['early', 2.5, 2, 5, 2],
      ['later', 1, 2, 4, 4],
    ])
    expect(made).toMatchObject({ valid_from: '2022-05-31', valid_until: '2026-06-01', zone_ids: null })
    const interval = made.cells[0]?.interval ?? [0, 0]
    expect(interval[0]).toBeLessThanOrEqual(2.5)
    expect(interval[1]).toBeGreaterThanOrEqual(2.5)
    // 8:00: least(2, 1 x 2.5) + least(4, 1 x 2.5) = 4.5. 9:00: 0 + 1. 10:00: least(2, 3 x 1) = 2.
    const response = await readOccupancy('estimated', { start_time_hour: 8, end_time_hour: 10 })
    expect(response.total).toMatchObject({ occupied_hours: 7.5, known_hours: 14 })
    expect(response.total.interval?.[0]).toBeLessThanOrEqual(response.total.occupancy ?? 0)
    const again = await call(app, city.admin, createCalibration, {
      params,
      body: { name: 'Again', bands, day_types: dayTypes, start_date: '2024-05-01', end_date: '2024-05-31' },
    })
    expect(again.cells.map(({ k }) => k)).toEqual([2.5, 1])
  })

  it('has the same sums by band for the pricing engine', async () => {
    const [first, , third] = await readBands('paid')
    const getBands = (zone: number) => (getZoneId(zone) < getZoneId(3 - zone) ? first : third)
    expect(getBands(1)).toEqual({
      zone_id: getZoneId(1),
      band: 'early',
      day_type: 'weekday',
      occupancy: 0.5,
      days: 1,
      coverage: 1,
      capacity: 2,
      kind: 'paid',
      interval: null,
    })
    const estimated = await readBands('estimated')
    const ofTwo = estimated.find(({ zone_id, band }) => zone_id === getZoneId(2) && band === 'early')
    expect(ofTwo).toMatchObject({ occupancy: 0.625, kind: 'estimated' })
    expect(ofTwo?.interval).toHaveLength(2)
  })

  it('ends on the day of a change that a user records', async () => {
    const { items } = await call(app, city.admin, recordCurbChange, {
      params,
      body: { kind: 'enforcement', day: '2024-05-07', note: 'Cameras read plates.' },
    })
    expect(items.map(({ valid_until, expired }) => [valid_until, expired?.kind])).toEqual([
      ['2024-05-07', 'enforcement'],
      ['2024-05-07', 'enforcement'],
    ])
    expect((await readOccupancy('estimated')).total.known_hours).toBe(0)
    expect((await call(app, city.viewer, listCalibrations, { params })).items).toHaveLength(2)
    const unknown = await send(app, city.admin, recordCurbChange, {
      params,
      body: { kind: 'rules', day: '2024-05-07', calibration_ids: [randomUUID()] },
    })
    expect(unknown.statusCode).toBe(404)
  })

  it('can be neither read nor changed without the permission', async () => {
    const refused = await send(app, city.viewer, createCalibration, {
      params,
      body: { name: 'No', bands, day_types: dayTypes, start_date: '2024-05-01', end_date: '2024-05-31' },
    })
    expect(refused.statusCode).toBe(403)
  })
})

const round = (value: number): number => Math.round(value * 1e6) / 1e6
