import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { CurbMapping } from '#contract/curb-imports.ts'
import { getFindingCodes, countOutcomes, stageAll } from '../../../../test/curb/staging.ts'
import type { CurbFile } from '../curb-format.ts'
import { openFile } from '../open-file.ts'
import { suggestMapping } from '../table/suggest-mapping.ts'
import { surveyTable } from '../table/survey-table.ts'
import { curblrFormat } from './curblr-format.ts'
import { signsFormat } from './signs-format.ts'
import { tableFormat } from './table-format.ts'

const data = fileURLToPath(new URL('../../../../../shared/data/', import.meta.url))
const hasData = fs.existsSync(`${data}curb`) && fs.existsSync(`${data}portland/curb`)
if (!hasData) console.warn('Skipped: published curb files, which are not at ../shared/data')

const fileAt = (path: string): CurbFile => openFile(data + path, path)

async function stageTable(
  path: string,
  at: { lon: number; lat: number },
  overrides: Partial<CurbMapping> = {},
) {
  const file = fileAt(path)
  const mapping = { ...suggestMapping(await surveyTable(file)), ...overrides }
  return { mapping, ...(await stageAll(tableFormat, [file], { mapping, at })) }
}

const getPolicies = (staged: unknown): unknown[] => (staged as { policies: unknown[] }).policies

describe.skipIf(!hasData)('published curb files (skipped where ../shared/data is absent)', () => {
  it('Portland: reads a regulation from every CurbLR segment', async () => {
    const { rows, fileCodes } = await stageAll(curblrFormat, [
      fileAt('portland/curb/portland_downtown_2020-07-30.curblr.json'),
    ])
    expect(fileCodes).toEqual([])
    expect(countOutcomes(rows)).toEqual({ accepted: 416 })
    const activities = rows.map(
      ({ staged }) => (getPolicies(staged)[0] as { rules: { activity: string }[] }).rules[0]?.activity,
    )
    // README: parking 177, no standing 118, loading 46, no parking 39, standing 36. CDS calls standing stopping.
    expect(activities.filter((activity) => activity === 'parking')).toHaveLength(177)
    expect(activities.filter((activity) => activity === 'no stopping')).toHaveLength(118)
    expect(activities.filter((activity) => activity === 'stopping')).toHaveLength(36)
    const paidRows = rows.filter(({ staged }) => JSON.stringify(getPolicies(staged)).includes('"rate"'))
    expect(paidRows).toHaveLength(83)
  })

  it('Columbus: converts prices of the maximum stay to hourly ones, and sets garbled limits aside', async () => {
    const { mapping, rows } = await stageTable('curb/columbus/meters.csv.gz', { lon: -83, lat: 39.96 })
    expect(mapping).toMatchObject({
      columns: { id: 'METER_ID', hours: 'HOURS_OPERATION' },
      rate_per: 'max_stay',
      stay_unit: 'minute',
    })
    expect(rows).toHaveLength(5663)
    expect(getPolicies(rows[0]?.staged)[0]).toEqual({
      priority: 80,
      rules: [
        {
          activity: 'parking',
          max_stay: 180,
          max_stay_unit: 'minute',
          rate: [{ rate: 75, rate_unit: 'hour' }],
        },
      ],
      time_spans: [{ time_of_day_start: '08:00', time_of_day_end: '22:00' }],
    })
    // 155 limits of 360180 and 13 of 30180. Some of these rows are out of service.
    const rowsWithGarbledLimit = rows.filter(({ source }) =>
      /^(360180|30180)$/.test((source as { METER_TIME: string }).METER_TIME),
    )
    expect(rowsWithGarbledLimit.filter(({ outcome }) => outcome === 'accepted')).toEqual([])
    const rowsOutOfService = rows.filter(({ findings }) =>
      findings.some(({ code }) => code === 'not_in_service'),
    )
    expect(rowsOutOfService).toHaveLength(914 + 29 + 26 + 1)
  })

  it('San Diego: reads earlier configurations of poles as their history', async () => {
    const { mapping, rows } = await stageTable('curb/san_diego/meters.csv.gz', { lon: -117.16, lat: 32.72 })
    expect(mapping.columns).toMatchObject({
      id: 'pole',
      rule_text: 'config_name',
      effective_date: 'date_inventory',
    })
    expect(rows).toHaveLength(10_808)
    // "Sunday Mode" is not a readable rule, so the previous configuration continues, with findings.
    expect(getFindingCodes(rows[0])).toEqual(expect.arrayContaining(['text_set_aside', 'rule_set_aside']))
    expect(rows[0]).toMatchObject({
      recordId: '1-1004',
      outcome: 'repaired',
      staged: { history: [{ policies: getPolicies(rows[0]?.staged) }] },
    })
    expect(rows[1]).toMatchObject({ recordId: '1-1004', outcome: 'accepted', staged: null })
    const stagedIds = rows.flatMap(({ recordId, staged }) => (staged ? [recordId] : []))
    expect(new Set(stagedIds).size).toBe(stagedIds.length)
  })

  it('Arlington: reads hours with days, limits in hours, and fractions of spaces', async () => {
    const { mapping, rows } = await stageTable('curb/arlington/meters.csv.gz', { lon: -77.08, lat: 38.88 })
    expect(mapping).toMatchObject({
      columns: { lat: 'Latitude', lon: 'Longitude' },
      stay_unit: 'hour',
      rate_per: 'hour',
    })
    expect(rows).toHaveLength(3746)
    const activeRow = rows.find(({ recordId }) => recordId === 'ED1405N')
    expect(getPolicies(activeRow?.staged)).toEqual([
      {
        priority: 80,
        rules: [
          {
            activity: 'parking',
            max_stay: 120,
            max_stay_unit: 'minute',
            rate: [{ rate: 175, rate_unit: 'hour' }],
          },
        ],
        time_spans: [
          {
            days_of_week: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
            time_of_day_start: '08:00',
            time_of_day_end: '20:00',
          },
        ],
      },
    ])
    expect(countOutcomes(rows)['refused']).toBe(2321 + 19 + 3)
  })

  it('San Francisco: reads colors of caps as uses, and points from texts', async () => {
    const { rows } = await stageTable('curb/san_francisco/meters.csv.gz', { lon: -122.43, lat: 37.77 })
    expect(rows).toHaveLength(29_360)
    const loadingRows = rows.filter(({ staged }) => JSON.stringify(staged).includes('"loading"'))
    expect(loadingRows).toHaveLength(3381 + 923)
    // The meanings of Purple and Undefined are not certain.
    expect(rows.filter((row) => getFindingCodes(row).includes('rule_set_aside'))).toHaveLength(15 + 2)
  })

  it('Seattle: reads prices by time of day, with times in minutes', async () => {
    const { rows } = await stageTable('curb/seattle/belltown_paystations.csv.gz', {
      lon: -122.34,
      lat: 47.61,
    })
    const staged = rows.find(({ recordId }) => recordId === '13521')?.staged
    expect(getPolicies(staged)).toEqual([
      {
        priority: 80,
        rules: [{ activity: 'parking', rate: [{ rate: 100, rate_unit: 'hour' }] }],
        time_spans: [
          {
            days_of_week: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
            time_of_day_start: '08:00',
            time_of_day_end: '11:00',
          },
        ],
      },
      {
        priority: 80,
        rules: [{ activity: 'parking', rate: [{ rate: 150, rate_unit: 'hour' }] }],
        time_spans: [
          {
            days_of_week: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
            time_of_day_start: '11:00',
            time_of_day_end: '20:00',
          },
        ],
      },
    ])
  })

  it('Boston: cuts curbs at their signs, and returns a row for every sign', async () => {
    const files = [fileAt('curb/boston/signs.geojson.gz'), fileAt('curb/boston/curbs.geojson.gz')] as const
    const { rows } = await stageAll(signsFormat, files, { at: { lon: -71.06, lat: 42.35 } })
    // 572 signs, and 432 points in the file of curbs.
    expect(rows.filter(({ kind }) => kind === 'object')).toHaveLength(572 + 432)
    const zones = rows.filter(({ kind }) => kind === 'zone')
    expect(zones.length).toBeGreaterThanOrEqual(741)
    const noStopping = zones.filter(({ staged }) => JSON.stringify(staged).includes('"no stopping"'))
    expect(noStopping.length).toBeGreaterThan(50)
    expect(
      noStopping.every(
        ({ confidence, source }) => confidence !== null && (source as { signs: unknown[] }).signs.length > 0,
      ),
    ).toBe(true)
  })
})
