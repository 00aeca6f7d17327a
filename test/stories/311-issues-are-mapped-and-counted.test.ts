import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { notInShape } from '#contract/evaluation.ts'
import type { Layer } from '#contract/geography.ts'
import { listShapes } from '#contract/geography.ts'
import {
  queryIssuesByShape,
  queryIssuesByShapeAndDay,
  downloadIssues,
  getIssue,
  listIssuePoints,
  listIssues,
  listIssueTypes,
} from '#contract/issues.ts'
import { dayNumber, hourMs } from '#contract/period.ts'
import { systemScope } from '#server/identity/scope.ts'
import { IssuesInShapes } from '#server/issues/issues-by-shape.ts'
import type { IssueReport } from '#server/issues/issue-report.ts'
import { listIssuePoints as listPointsOf } from '#server/issues/list-issue-points.ts'
import { storeIssues } from '#server/issues/store-issues.ts'
import { call, openTestApp, readProblem, send, type TestApp } from '../app.ts'
import { addLayer, makeRegions, type TestCity } from '../city.ts'
import { holds } from '../city/plain-geometry.ts'
import { createRandom } from '../city/random.ts'
import { districts, zones } from '../city/shapes.ts'

const params = { region_id: 'alder' }
const kinds = ['Scooter in the way', 'Pothole', '=Litter', 'Light out']
const random = createRandom(311)
const pickOne = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T

/** 120 places in and around Alder. */
const places = Array.from(
  { length: 120 },
  () =>
    [
      Math.round((-72.58 + random() * 0.16) * 1e6) / 1e6,
      Math.round((41.45 + random() * 0.09) * 1e6) / 1e6,
    ] as const,
)
const reports = Array.from({ length: 500 }, (_, at): IssueReport => {
  const requested = Date.UTC(2026, 1, 1) + Math.floor(random() * 89 * 24 * 60) * 60_000
  const kind = pickOne(kinds)
  const isClosed = random() < 0.6
  const [lon, lat] = pickOne(places)
  const isPlaceless = at % 10 === 0
  return {
    issueId: `SR-${at}`,
    serviceCode: kind.toLowerCase().replaceAll(' ', '-'),
    serviceName: kind,
    description: 'He said "mind it", and left',
    status: isClosed ? 'closed' : 'open',
    sourceStatus: isClosed ? 'Resolved' : 'In progress',
    requested,
    updated: requested + 9 * 24 * hourMs,
    closed:
      isClosed && at % 7
        ? requested + Math.floor(random() * 120) * hourMs
        : isClosed
          ? requested - hourMs
          : null,
    address: at % 3 ? `${at} Main St` : null,
    lat: isPlaceless ? null : lat,
    lon: isPlaceless ? null : lon,
    districts: at % 2 ? { ward: String(at % 5) } : {},
  }
})
const getResolutionHours = ({ status, closed, requested }: IssueReport): number | null =>
  status === 'closed' && closed !== null && closed >= requested ? (closed - requested) / hourMs : null
const localDays = new Map(
  reports.map((report) => [
    report,
    new Date(report.requested).toLocaleDateString('en-CA', { timeZone: 'America/New_York' }),
  ]),
)
const getLocalDay = (report: IssueReport): string => localDays.get(report) ?? ''

interface Filters {
  service_code?: string
  status?: 'open' | 'closed'
  start_date?: string
  end_date?: string
  resolution_time?: string
}
const isInRange = (text: string, hours: number | null): boolean => {
  const [from, to] = text.includes('-') ? text.split('-') : ['', text]
  return hours !== null && (!from || hours > Number(from)) && (!to || hours <= Number(to))
}
/** Applies the filters to `reports` one by one. */
const filterPlainly = ({
  service_code,
  status,
  start_date,
  end_date,
  resolution_time,
}: Filters): IssueReport[] =>
  reports.filter(
    (report) =>
      (!service_code || service_code.split(',').includes(report.serviceCode)) &&
      (!status || report.status === status) &&
      (!start_date || getLocalDay(report) >= start_date) &&
      (!end_date || getLocalDay(report) <= end_date) &&
      (!resolution_time || isInRange(resolution_time, getResolutionHours(report))),
  )
const questions: Filters[] = [
  {},
  { status: 'open' },
  { service_code: 'pothole,=litter', status: 'closed' },
  { start_date: '2026-03-07', end_date: '2026-03-09' },
  { resolution_time: '24-72' },
  { start_date: '2026-03-01', end_date: '2026-04-01', resolution_time: '72-' },
  { service_code: 'nothing-such' },
]

let app: TestApp
let city: TestCity
let layers: Layer[]
beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  layers = [
    await addLayer(app, city.admin, { region_id: 'alder', layer_name: 'Alder Districts', shapes: districts }),
    await addLayer(app, city.admin, { region_id: 'alder', layer_name: 'Alder Zones', shapes: zones }),
  ]
  await storeIssues(
    app.state,
    systemScope,
    { regionId: 'alder', source: 'files', observed: Date.UTC(2026, 4, 1), importId: null },
    reports,
  )
})
afterAll(() => app.close())

const listPoints = (query: Filters = {}) => call(app, city.viewer, listIssuePoints, { params, query })

describe('the map, the table and the file of issues', () => {
  it.each(questions.map((query) => [JSON.stringify(query), query] as const))('%s', async (_, query) => {
    const expected = filterPlainly(query)
    const { total, placed, types, type, closed, ...found } = await listPoints(query)
    const indexOfIssue = (id: string): number => found.id.indexOf(id)
    expect([total, placed, found.id.length]).toEqual([
      expected.length,
      ...Array<number>(2).fill(expected.filter(({ lat }) => lat !== null).length),
    ])
    for (const report of expected.filter(({ lat }) => lat !== null))
      expect([
        report.issueId,
        found.lon[indexOfIssue(report.issueId)],
        found.lat[indexOfIssue(report.issueId)],
        types[type[indexOfIssue(report.issueId)] ?? -1]?.service_name,
        closed[indexOfIssue(report.issueId)],
      ]).toEqual([
        report.issueId,
        report.lon,
        report.lat,
        report.serviceName,
        Number(report.status === 'closed'),
      ])
    for (const report of expected.filter(({ lat }) => lat !== null))
      expect([report.issueId, found.day[indexOfIssue(report.issueId)]]).toEqual([
        report.issueId,
        dayNumber(getLocalDay(report)),
      ])
    const days = [...new Set(expected.map(getLocalDay))].toSorted()
    const listReportsOn = (day: string): IssueReport[] =>
      expected.filter((report) => getLocalDay(report) === day)
    expect(found.by_day).toEqual({
      day: days.map(dayNumber),
      total: days.map((day) => listReportsOn(day).length),
      placed: days.map((day) => listReportsOn(day).filter(({ lat }) => lat !== null).length),
    })
    for (const { service_name, open, closed: shut } of types) {
      const of = expected.filter(({ serviceName }) => serviceName === service_name)
      expect([service_name, open, shut]).toEqual([
        service_name,
        of.filter(({ status }) => status === 'open').length,
        of.filter(({ status }) => status === 'closed').length,
      ])
    }
    expect((await call(app, city.viewer, listIssues, { params, query })).total).toBe(expected.length)
    const lines = Buffer.from(await call(app, city.viewer, downloadIssues, { params, query }))
      .toString()
      .trimEnd()
      .split('\n')
      .slice(1)
    expect(lines.map((line) => line.split(',')[0]).toSorted()).toEqual(
      expected.map(({ issueId }) => issueId).toSorted(),
    )
  })

  it('count kinds by days and resolution time, and list kinds without a match', async () => {
    const { items, first_day, last_day } = await call(app, city.viewer, listIssueTypes, {
      params,
      query: { start_date: '2026-02-10', end_date: '2026-02-10' },
    })
    const issues = filterPlainly({ start_date: '2026-02-10', end_date: '2026-02-10' })
    expect(new Map(items.map(({ service_name, open, closed }) => [service_name, open + closed]))).toEqual(
      new Map(kinds.map((kind) => [kind, issues.filter(({ serviceName }) => serviceName === kind).length])),
    )
    expect([first_day, last_day]).toEqual([
      reports.map(getLocalDay).toSorted()[0],
      reports.map(getLocalDay).toSorted().at(-1),
    ])
    expect(await call(app, city.viewer, listIssueTypes, { params: { region_id: 'birch' } })).toEqual({
      items: [],
      first_day: null,
      last_day: null,
    })
  })

  it('return the newest issues if there are too many, with the total number', async () => {
    const few = await listPointsOf(app.state, systemScope, { regionId: 'alder', filters: {}, limit: 40 })
    const whole = await listPoints()
    expect([few.total, few.placed, few.types]).toEqual([whole.total, whole.placed, whole.types])
    expect(few.id).toEqual(whole.id.slice(0, 40))
  })
})

test('the issue list is sorted as requested, with missing values last, over all pages', async () => {
  const list = (
    order_by: 'resolution_time' | '-resolution_time' | 'requested_time' | 'address',
    page = 1,
    size = 300,
  ) => call(app, city.viewer, listIssues, { params, query: { order_by, page, size } })
  const known = reports
    .map(getResolutionHours)
    .filter((report) => report !== null)
    .toSorted((a, b) => a - b)
  for (const [order, expected] of [
    ['resolution_time', known],
    ['-resolution_time', known.toReversed()],
  ] as const) {
    const all = [...(await list(order)).items, ...(await list(order, 2)).items]
    expect(all.map(({ resolution_time }) => resolution_time)).toEqual([
      ...expected,
      ...Array<null>(500 - known.length).fill(null),
    ])
    expect(new Set(all.map(({ id }) => id)).size).toBe(500)
  }
  expect((await list('requested_time')).items[0]?.requested_time).toBe(
    new Date(Math.min(...reports.map(({ requested }) => requested))).toISOString(),
  )
  expect((await list('address')).items.map(({ address }) => address).at(-1)).not.toBeNull()
  expect(
    readProblem(await send(app, city.viewer, listIssues, { params, query: { order_by: 'reporter' as 'id' } }))
      .status,
  ).toBe(422)
})

test('the CSV file is named after region and days, and is safe for spreadsheets', async () => {
  const response = await send(app, city.viewer, downloadIssues, {
    params,
    query: { service_code: '=litter', start_date: '2026-02-01', end_date: '2026-04-30' },
  })
  expect([response.headers['content-type'], response.headers['content-disposition']]).toEqual([
    'text/csv; charset=utf-8',
    'attachment; filename="issues_alder_2026-02-01_2026-04-30.csv"',
  ])
  const [head, first] = response.body.split('\n')
  expect(head).toMatch(/^id,source,service_code,.*,first_seen_time,district_ward$/)
  expect(first).toContain(`,'=litter,'=Litter,`)
  expect(first).toContain('"He said ""mind it"", and left"')
})

describe('issues by shape', () => {
  it.each([0, 1])('equal a plain count in every shape of layer %i', async (at) => {
    const layer = layers[at] as Layer
    const geometries = at === 0 ? districts : zones
    const query = {
      shape_layer_uuid: layer.shape_layer_uuid,
      start_date: '2026-02-15',
      end_date: '2026-04-15',
    }
    const { shape_data, total, overlaps } = await call(app, city.viewer, queryIssuesByShape, {
      params,
      query,
    })
    const expected = filterPlainly(query)
    const { items } = await call(app, city.viewer, listShapes, {
      params,
      query: { shape_layer_uuid: layer.shape_layer_uuid, size: 300 },
    })
    expect(Object.keys(shape_data)).toHaveLength(items.length + 1)
    const isInShape = (shape: (typeof districts)[number], { lon, lat }: IssueReport): boolean =>
      lon !== null && lat !== null && holds(shape.geometry, [lon, lat])
    for (const shape of geometries) {
      const of = expected.filter((report) => isInShape(shape, report))
      const hours = of.map(getResolutionHours).filter((hours) => hours !== null)
      const found = shape_data[items.find(({ shape_name }) => shape_name === shape.name)?.shape_uuid ?? '']
      expect([shape.name, found?.count, found?.open, found?.closed, found?.resolved]).toEqual([
        shape.name,
        of.length,
        of.filter(({ status }) => status === 'open').length,
        of.filter(({ status }) => status === 'closed').length,
        hours.length,
      ])
      const mean = hours.length ? hours.reduce((sum, value) => sum + value, 0) / hours.length : null
      expect(Math.abs((found?.mean_hours ?? -1) - (mean ?? -1))).toBeLessThan(1e-9)
    }
    expect(total.count).toBe(expected.length)
    expect(shape_data[notInShape]?.count).toBe(
      expected.filter((report) => !geometries.some((shape) => isInShape(shape, report))).length,
    )
    const sum = Object.values(shape_data).reduce((all, { count }) => all + count, 0)
    expect([overlaps, sum > total.count]).toEqual(at === 0 ? [false, false] : [true, true])
  })
})

describe('issues by shape and day', () => {
  const span = { start_date: '2026-02-27', end_date: '2026-03-12' }
  const fortnight = Array.from({ length: 14 }, (_, index) =>
    new Date(Date.UTC(2026, 1, 27 + index)).toISOString().slice(0, 10),
  )
  const sum = (values: readonly (number | null)[]): number =>
    values.reduce<number>((all, value) => all + (value ?? 0), 0)

  it.each([0, 1])('equal a plain count in layer %i, and add up to the period', async (at) => {
    const query = { ...span, shape_layer_uuid: (layers[at] as Layer).shape_layer_uuid }
    const geometries = at === 0 ? districts : zones
    const { items } = await call(app, city.viewer, listShapes, {
      params,
      query: { shape_layer_uuid: query.shape_layer_uuid, size: 300 },
    })
    const whole = await call(app, city.viewer, queryIssuesByShape, { params, query })
    for (const measure of ['count', 'open'] as const) {
      const found = await call(app, city.viewer, queryIssuesByShapeAndDay, {
        params,
        query: { ...query, measure },
      })
      expect(found.days).toEqual(fortnight)
      const counted = filterPlainly(span).filter(({ status }) => measure === 'count' || status === 'open')
      expect(found.total).toEqual(
        fortnight.map((day) => counted.filter((report) => getLocalDay(report) === day).length),
      )
      for (const shape of geometries) {
        const id = items.find(({ shape_name }) => shape_name === shape.name)?.shape_uuid ?? ''
        const values = found.values.map((row) => row[found.shape_uuids.indexOf(id)] ?? null)
        expect([shape.name, values]).toEqual([
          shape.name,
          fortnight.map(
            (day) =>
              counted.filter(
                (report) =>
                  getLocalDay(report) === day &&
                  report.lon !== null &&
                  report.lat !== null &&
                  holds(shape.geometry, [report.lon, report.lat]),
              ).length,
          ),
        ])
        expect([shape.name, sum(values)]).toEqual([shape.name, whole.shape_data[id]?.[measure]])
      }
      expect([sum(found.not_in_shape), sum(found.total)]).toEqual([
        whole.shape_data[notInShape]?.[measure],
        whole.total[measure],
      ])
    }
  })

  it('have the resolution times of each day, and none on days without issues', async () => {
    const { total } = await call(app, city.viewer, queryIssuesByShapeAndDay, {
      params,
      query: {
        ...span,
        shape_layer_uuid: layers[0]!.shape_layer_uuid,
        service_code: 'pothole',
        measure: 'mean',
      },
    })
    const expected = fortnight.map((day) => {
      const hours = filterPlainly({ start_date: day, end_date: day, service_code: 'pothole' })
        .map(getResolutionHours)
        .filter((value) => value !== null)
      return hours.length ? sum(hours) / hours.length : null
    })
    expect(total.map((value) => value?.toFixed(9))).toEqual(expected.map((value) => value?.toFixed(9)))
    expect(total).toContain(null)
  })

  it('include all days if none are chosen; too many are rejected', async () => {
    const askDays = (query: object) =>
      send(app, city.viewer, queryIssuesByShapeAndDay, {
        params,
        query: { shape_layer_uuid: layers[0]!.shape_layer_uuid, ...query },
      })
    const all = (await askDays({})).json<{ days: string[]; total: number[] }>()
    expect([all.days[0], all.days.at(-1), sum(all.total)]).toEqual([
      ...[reports.map(getLocalDay).toSorted()].flatMap((localDays) => [localDays[0], localDays.at(-1)]),
      500,
    ])
    const early = (await askDays({ start_date: '0001-01-01', end_date: '0001-01-02' })).json<{
      days: string[]
      total: number[]
    }>()
    expect([early.days, early.total]).toEqual([
      ['0001-01-01', '0001-01-02'],
      [0, 0],
    ])
    expect(readProblem(await askDays({ start_date: '0001-01-01', end_date: '9999-12-31' })).detail).toContain(
      'the maximum is 2,000,000. Choose fewer days',
    )
  })
})

test('issues of other organizations are not visible, and unknown regions are reported', async () => {
  const layer = layers[0] as Layer
  for (const [endpoint, query] of [
    [listIssuePoints, {}],
    [downloadIssues, {}],
    [listIssueTypes, {}],
    [queryIssuesByShape, { shape_layer_uuid: layer.shape_layer_uuid }],
    [queryIssuesByShapeAndDay, { shape_layer_uuid: layer.shape_layer_uuid }],
  ] as const) {
    const given = { params, query: query as object }
    expect(
      readProblem(await send(app, city.stranger, endpoint as typeof listIssuePoints, given)).status,
    ).toBe(404)
    expect(readProblem(await send(app, null, endpoint as typeof listIssuePoints, given)).status).toBe(401)
  }
  expect(
    readProblem(
      await send(app, city.viewer, queryIssuesByShape, {
        params,
        query: { shape_layer_uuid: crypto.randomUUID() },
      }),
    ).detail,
  ).toBe('There is no such layer in this region.')
})

test('two sources with the same number have separate issues', async () => {
  const other = { ...(reports[1] as IssueReport), description: 'the other one', lon: -72.5, lat: 41.49 }
  await storeIssues(
    app.state,
    systemScope,
    { regionId: 'birch', source: 'files', observed: 1, importId: null },
    [reports[1] as IssueReport],
  )
  await storeIssues(
    app.state,
    systemScope,
    { regionId: 'birch', source: 'feed', observed: 2, importId: null },
    [other],
  )
  const found = await call(app, city.viewer, listIssuePoints, { params: { region_id: 'birch' } })
  expect(found.id.map((id, index) => [id, found.sources[found.source[index] ?? -1]]).toSorted()).toEqual([
    ['SR-1', 'feed'],
    ['SR-1', 'files'],
  ])
  expect(
    (
      await call(app, city.viewer, getIssue, {
        params: { region_id: 'birch', issue_id: 'SR-1' },
        query: { source: 'feed' },
      })
    ).description,
  ).toBe('the other one')
})

test('20,000 points fit in one response, and the file has a line for each issue', async () => {
  await app.state
    .execute(`insert into issue (region_id, source, issue_id, service_code, service_name, status, source_status, requested_time, resolution_hours, address, lat, lon, first_seen, version_time, observed_time, content_hash)
    select 'birch', 'many', 'c' || n, 'code' || n % 20, 'Kind ' || n % 20, case when n % 3 = 0 then 'open' else 'closed' end, 'x', timestamptz '2026-03-01' - n * interval '5 minutes', case when n % 3 = 0 then null else n % 100 end, null, 47.5 + (n % 317) / 1e4, -52.7 - (n % 211) / 1e4, now(), now(), now(), 'x'
    from generate_series(1, 20000) as n`)
  const began = performance.now()
  const response = await send(app, city.viewer, listIssuePoints, { params: { region_id: 'birch' } })
  const took = performance.now() - began
  const found = response.json<Record<'id' | 'lon' | 'lat', unknown[]> & { total: number; placed: number }>()
  expect([found.total, found.placed, found.id.length, found.lon.length, found.lat.length]).toEqual([
    20_002, 20_002, 20_002, 20_002, 20_002,
  ])
  expect(took).toBeLessThan(3000)
  const lines = Buffer.from(
    await call(app, city.viewer, downloadIssues, {
      params: { region_id: 'birch' },
      query: { service_code: Array.from({ length: 12 }, (_, code) => `code${code}`).join(',') },
    }),
  )
    .toString()
    .trimEnd()
    .split('\n')
    .slice(1)
  expect(new Set(lines.map((line) => line.split(',')[0])).size).toBe(12_000)
  expect(lines).toHaveLength(12_000)
})

test('more issues than can be joined with shapes at once are rejected with advice', async () => {
  const few = new IssuesInShapes(app.state, 100)
  await expect(
    few.evaluate(systemScope, 'alder', { shape_layer_uuid: layers[0]!.shape_layer_uuid }),
  ).rejects.toThrow(
    '500 issues match. At most 100 can be counted by shape at once: choose a shorter period or fewer types.',
  )
})
