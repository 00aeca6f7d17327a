import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { CdsPolicyContent } from '#contract/cds.ts'
import {
  deleteCurbPolicy,
  discardCurbDraft,
  downloadCurbPolicies,
  downloadPoliciesAndZones,
  duplicateCurbPolicy,
  filterCurbPolicies,
  getCurbActivityStatistics,
  getCurbPolicy,
  lintCurbPolicy,
  listCurbPolicyRevisions,
  publishCurbPolicy,
  type RegulationDetail,
  RegulationDetail as RegulationDetailSchema,
  saveCurbPolicy,
} from '#contract/curb-regulations.ts'
import {
  getShapeCalendar,
  listPotentialRules,
  listShapePolicies,
  shapeHasCurbPolicies,
  shapeHasPolicies,
} from '#contract/geography-use.ts'
import { changeCurbSettings, getCurbSettings } from '#contract/curb-settings.ts'
import {
  findCurbZoneChoices,
  listCurbZoneChoices,
  listCurbZonesWithin,
  lookUpZoneLengths,
} from '#contract/curb-zones.ts'
import { hourMs } from '#contract/period.ts'
import { mirrorLayer } from '#server/curb/store/mirror-layer.ts'
import { systemScope } from '#server/identity/scope.ts'
import { call, openTestApp, readProblem, send, type TestApp } from '../app.ts'
import { makeRegions, regions, type TestCity } from '../city.ts'
import { addCurbZones } from '../curb-zones.ts'

let app: TestApp
let city: TestCity
let zones: string[]
let farZones: string[]
const params = { region_id: 'alder' }

const paid: CdsPolicyContent = {
  name: 'Paid parking 2 h',
  priority: 90,
  rules: [
    {
      activity: 'parking',
      max_stay: 2,
      max_stay_unit: 'hour',
      rate: [{ rate: 200, rate_unit: 'hour', start_duration: 0, end_duration: 2 }],
    },
  ],
  time_spans: [
    {
      days_of_week: ['mon', 'tue', 'wed', 'thu', 'fri'],
      time_of_day_start: '08:00',
      time_of_day_end: '18:00',
    },
  ],
}
const loading: CdsPolicyContent = {
  name: 'Loading for trucks',
  priority: 60,
  rules: [{ activity: 'loading', user_classes: ['truck'], purposes: ['delivery'], max_stay: 30 }],
}

const save = (
  policy: CdsPolicyContent,
  curb_zone_ids: string[],
  overrides: { curb_policy_id?: string; if_modified_time?: string } = {},
): Promise<RegulationDetail> =>
  call(app, city.admin, saveCurbPolicy, { params, body: { policy, curb_zone_ids, ...overrides } })
const publish = (regulation: RegulationDetail, effective_time?: Date): Promise<RegulationDetail> =>
  call(app, city.admin, publishCurbPolicy, {
    params,
    body: {
      curb_policy_id: regulation.id,
      published: true,
      ...(effective_time ? { effective_time: effective_time.toISOString() } : {}),
    },
  })
const unpublish = (regulation: RegulationDetail): Promise<RegulationDetail> =>
  call(app, city.admin, publishCurbPolicy, {
    params,
    body: { curb_policy_id: regulation.id, published: false },
  })
const read = (id: string): Promise<RegulationDetail> =>
  call(app, city.viewer, getCurbPolicy, { params: { ...params, curb_policy_id: id } })
const readHistory = async (id: string) =>
  (await call(app, city.viewer, listCurbPolicyRevisions, { params: { ...params, curb_policy_id: id } })).items
const listNames = async (filter: object = {}): Promise<string[]> =>
  (await call(app, city.viewer, filterCurbPolicies, { params, body: filter })).items.map(({ name }) => name)
/** Reads from the table which policies apply to a zone at an instant. */
const listInForce = async (zone: string, at: Date): Promise<string[]> =>
  (
    await app.state
      .as(systemScope)
      .selectFrom('curb_zone_policy')
      .select('curb_policy_id')
      .where('region_id', '=', 'alder')
      .where('curb_zone_id', '=', zone)
      .where('start_time', '<=', at)
      .where((where) => where.or([where('end_time', 'is', null), where('end_time', '>', at)]))
      .orderBy('curb_policy_id')
      .execute()
  ).map(({ curb_policy_id: id }) => id)
const getZoneId = (index: number): string => zones[index] ?? ''

beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  const at = new Date(Date.now() - 24 * hourMs)
  zones = await addCurbZones(app.state, { regionId: 'alder', center: regions.alder, at })
  farZones = await addCurbZones(app.state, { regionId: 'cedar', center: regions.cedar, at, streets: 1 })
})
afterAll(() => app.close())

describe('a regulation', () => {
  let draft: RegulationDetail
  let published: RegulationDetail

  it('is saved as a draft and changed in place', async () => {
    draft = await save(paid, zones.slice(0, 4))
    expect(draft).toMatchObject({
      name: 'Paid parking 2 h',
      status: 'saved',
      published: false,
      published_policy_id: null,
      type: 'parking',
      category: 'curb',
      zone_count: 4,
      length_m: 240,
      rules: [
        {
          unit: 'hour',
          maximum: 2,
          rate: [{ rate_type: 'per_hour', value: 2, start_duration: 0, end_duration: 2 }],
        },
      ],
      schedules: [{ schedule_type: 'recurring', start_time: '08:00', end_time: '18:00' }],
      created_by_email: 'admin@alder.example',
    })
    const same = await save(paid, zones.slice(0, 4), { curb_policy_id: draft.id })
    expect(same.modified_time).toBe(draft.modified_time)
    const changed = await save(paid, zones.slice(0, 3), { curb_policy_id: draft.id })
    expect(changed).toMatchObject({ id: draft.id, zone_count: 3 })
    expect(await listInForce(getZoneId(0), new Date())).toEqual([])
    draft = changed
  })

  it('applies to its zones from its publication on', async () => {
    published = await publish(draft)
    expect(published).toMatchObject({
      regulation_id: draft.regulation_id,
      status: 'published',
      published: true,
      published_policy_id: published.id,
      published_by_email: 'admin@alder.example',
      zone_count: 3,
    })
    expect(await listInForce(getZoneId(0), new Date())).toEqual([published.id])
    expect(await listInForce(getZoneId(3), new Date())).toEqual([])
    expect(await listInForce(getZoneId(0), new Date(Date.now() - hourMs))).toEqual([])
    // Its former id no longer exists; the regulation has a new one.
    expect((await read(draft.regulation_id)).id).toBe(published.id)
  })

  it('gets a second draft when it is edited, which can be discarded', async () => {
    const edited = await save({ ...paid, priority: 91 }, zones.slice(0, 3), { curb_policy_id: published.id })
    expect(edited).toMatchObject({
      regulation_id: published.regulation_id,
      status: 'saved',
      replaces: published.id,
      published_policy_id: published.id,
    })
    expect(await listNames({ statuses: ['published'] })).toEqual(['Paid parking 2 h'])
    const back = await call(app, city.admin, discardCurbDraft, {
      params,
      body: { curb_policy_id: edited.id },
    })
    expect(back).toMatchObject({ id: published.id, status: 'published' })
    const twice = await send(app, city.admin, discardCurbDraft, { params, body: { curb_policy_id: back.id } })
    expect(readProblem(twice).code).toBe('conflict')
  })

  it('moves its zones to the next version when that takes effect', async () => {
    const edited = await save({ ...paid, priority: 80 }, [getZoneId(0), getZoneId(5)], {
      curb_policy_id: published.id,
    })
    const later = new Date(Date.now() + 48 * hourMs)
    const next = await publish(edited, later)
    expect(next).toMatchObject({
      regulation_id: published.regulation_id,
      status: 'published',
      effective_time: later.toISOString(),
      replaces: published.id,
      zone_count: 2,
    })
    const before = new Date(later.getTime() - 1)
    expect(await listInForce(getZoneId(0), before)).toEqual([published.id])
    expect(await listInForce(getZoneId(1), before)).toEqual([published.id])
    expect(await listInForce(getZoneId(5), before)).toEqual([])
    expect(await listInForce(getZoneId(0), later)).toEqual([next.id])
    expect(await listInForce(getZoneId(1), later)).toEqual([])
    expect(await listInForce(getZoneId(5), later)).toEqual([next.id])
  })

  it('can return to an earlier version under the id of that version', async () => {
    const current = await read(published.regulation_id)
    const again = await save(paid, zones.slice(0, 3), { curb_policy_id: current.id })
    const returned = await publish(again)
    expect(returned).toMatchObject({ id: published.id, regulation_id: published.regulation_id })
    const soon = new Date(Date.now() + 1000)
    const later = new Date(Date.now() + 72 * hourMs)
    expect(await listInForce(getZoneId(0), soon)).toEqual([published.id])
    expect(await listInForce(getZoneId(0), later)).toEqual([published.id])
    expect(await listInForce(getZoneId(5), later)).toEqual([])
  })

  it('has a history of changes and their authors', async () => {
    const acts = await readHistory(published.id)
    expect(acts.map(({ act }) => act)).toEqual([
      'published',
      'saved',
      'published',
      'saved',
      'discarded',
      'saved',
      'published',
      'saved',
      'saved',
    ])
    expect(acts.map(({ revision }) => revision)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
    expect(acts[3]).toMatchObject({
      by_email: 'admin@alder.example',
      changes: [
        { field: 'priority', before: 90, after: 80 },
        { field: 'curb_zone_ids', before: [getZoneId(1), getZoneId(2)].toSorted(), after: [getZoneId(5)] },
      ],
    })
  })

  it('is withdrawn, restored, and deleted with its history', async () => {
    const ended = await unpublish(await read(published.id))
    expect(ended).toMatchObject({
      status: 'saved',
      published: false,
      published_policy_id: null,
      zone_count: 3,
    })
    expect(await listInForce(getZoneId(0), new Date(Date.now() + 1))).toEqual([])
    const back = await publish(ended)
    expect(back).toMatchObject({ id: published.id, status: 'published', zone_count: 3 })
    expect(await listInForce(getZoneId(0), new Date(Date.now() + 1))).toEqual([published.id])
    await call(app, city.admin, deleteCurbPolicy, { params, body: { curb_policy_id: back.id } })
    expect(await listInForce(getZoneId(0), new Date(Date.now() + 1))).toEqual([])
    expect(await listNames()).toEqual([])
    const gone = await send(app, city.viewer, getCurbPolicy, {
      params: { ...params, curb_policy_id: back.id },
    })
    expect(readProblem(gone)).toMatchObject({
      code: 'not_found',
      detail: "The policy you selected can't be found",
    })
    expect((await readHistory(published.regulation_id))[0]).toMatchObject({ act: 'deleted' })
  })
})

describe('regulations with identical content', () => {
  it('share one id: a copy that equals a published policy adds its zones to it', async () => {
    const first = await publish(await save(loading, [getZoneId(10)]))
    const copy = await call(app, city.admin, duplicateCurbPolicy, {
      params,
      body: { curb_policy_id: first.id },
    })
    expect(copy).toMatchObject({ name: 'Loading for trucks (copy)', status: 'saved', zone_count: 0 })
    const noZones = await send(app, city.admin, publishCurbPolicy, {
      params,
      body: { curb_policy_id: copy.id, published: true },
    })
    expect(readProblem(noZones).code).toBe('conflict')
    const merged = await publish(await save(loading, [getZoneId(11)], { curb_policy_id: copy.id }))
    expect(merged).toMatchObject({
      id: first.id,
      regulation_id: first.regulation_id,
      curb_zone_ids: [getZoneId(10), getZoneId(11)].toSorted(),
    })
    expect(await listNames()).toEqual(['Loading for trucks'])
  })
})

describe('concurrent editors of a regulation', () => {
  it('never overwrite each other', async () => {
    const stored = await save({ ...loading, name: 'Shared' }, [getZoneId(20)])
    const theirs = await save({ ...loading, name: 'Shared', priority: 61 }, [getZoneId(20)], {
      curb_policy_id: stored.id,
      if_modified_time: stored.modified_time,
    })
    const late = await send(app, city.admin, saveCurbPolicy, {
      params,
      body: {
        policy: { ...loading, name: 'Mine' },
        curb_zone_ids: [getZoneId(20)],
        curb_policy_id: stored.id,
        if_modified_time: stored.modified_time,
      },
    })
    const refusal = readProblem(late)
    expect(refusal.status).toBe(409)
    expect(RegulationDetailSchema.parse(refusal.current)).toEqual(theirs)
    for (const endpoint of [publishCurbPolicy, deleteCurbPolicy] as const) {
      const refused = await send(app, city.admin, endpoint, {
        params,
        body: { curb_policy_id: stored.id, published: true, if_modified_time: stored.modified_time },
      })
      expect([endpoint.path, readProblem(refused).status]).toEqual([endpoint.path, 409])
    }
    await call(app, city.admin, deleteCurbPolicy, {
      params,
      body: { curb_policy_id: stored.id, if_modified_time: theirs.modified_time },
    })
    const deleted = await send(app, city.admin, saveCurbPolicy, {
      params,
      body: {
        policy: loading,
        curb_zone_ids: [],
        curb_policy_id: stored.id,
        if_modified_time: theirs.modified_time,
      },
    })
    expect(readProblem(deleted)).toMatchObject({ status: 409, current: null })
  })
})

describe('a request without permission', () => {
  it('is rejected, also outside of the region', async () => {
    const { id } = await save({ ...loading, name: 'Guarded' }, [getZoneId(30)])
    const body = { curb_policy_id: id, published: true }
    for (const endpoint of [
      saveCurbPolicy,
      duplicateCurbPolicy,
      publishCurbPolicy,
      discardCurbDraft,
      deleteCurbPolicy,
      changeCurbSettings,
    ] as const) {
      const request = { params, body: { policy: loading, curb_zone_ids: [], ...body } }
      expect([endpoint.path, (await send(app, city.viewer, endpoint, request)).statusCode]).toEqual([
        endpoint.path,
        403,
      ])
      expect([endpoint.path, (await send(app, city.stranger, endpoint, request)).statusCode]).toEqual([
        endpoint.path,
        404,
      ])
    }
    for (const endpoint of [publishCurbPolicy, deleteCurbPolicy, duplicateCurbPolicy] as const) {
      const request = { params: { region_id: 'cedar' }, body }
      expect([endpoint.path, (await send(app, city.stranger, endpoint, request)).statusCode]).toEqual([
        endpoint.path,
        404,
      ])
    }
    const foreign = await send(app, city.admin, saveCurbPolicy, {
      params,
      body: { policy: loading, curb_zone_ids: [farZones[0] ?? ''] },
    })
    expect(readProblem(foreign)).toMatchObject({ status: 422 })
    const nameless = await send(app, city.admin, saveCurbPolicy, {
      params,
      body: { policy: { ...loading, name: ' ' }, curb_zone_ids: [] },
    })
    expect(readProblem(nameless).detail).toBe('name: Please enter a value')
    const expired = await save(
      { ...loading, name: 'Over', time_spans: [{ end_date: Date.now() - hourMs }] },
      [getZoneId(31)],
    )
    expect(expired.status).toBe('expired')
    const late = await send(app, city.admin, publishCurbPolicy, {
      params,
      body: { curb_policy_id: expired.id, published: true },
    })
    expect(readProblem(late).detail).toBe('This policy is expired and cannot be published.')
  })
})

describe('the regulation library', () => {
  it('filters, sorts and pages regulations', async () => {
    await publish(await save({ ...paid, name: 'Zebra, paid' }, zones.slice(40, 44)))
    expect(await listNames({ text: 'zebra' })).toEqual(['Zebra, paid'])
    expect(await listNames({ activities: ['loading'], statuses: ['published'] })).toEqual([
      'Loading for trucks',
    ])
    expect(await listNames({ user_classes: ['truck'], purposes: ['taxi'] })).toEqual([])
    expect(await listNames({ is_paid: true })).toEqual(['Zebra, paid'])
    expect(await listNames({ curb_zone_ids: [getZoneId(41)] })).toEqual(['Zebra, paid'])
    expect(await listNames({ curb_zone_ids: [getZoneId(30)] })).toEqual(['Guarded'])
    expect(await listNames({ sort: '-priority' })).toEqual([
      'Zebra, paid',
      'Guarded',
      'Loading for trucks',
      'Over',
    ])
    const page = await call(app, city.viewer, filterCurbPolicies, { params, body: { size: 2, page: 2 } })
    expect(page).toMatchObject({ total: 4, page: 2, size: 2 })
    expect(page.items.map(({ name }) => name)).toEqual(['Over', 'Zebra, paid'])
  })

  it('counts regulations in force by activity', async () => {
    const counts = await call(app, city.viewer, getCurbActivityStatistics, { params, body: {} })
    expect(counts.total).toEqual({ policies: 2, zones: 6, length_m: 360 })
    expect(counts.items).toEqual([
      { activity: 'parking', policies: 1, zones: 4, length_m: 240, share: 240 / 3600 },
      { activity: 'loading', policies: 1, zones: 2, length_m: 120, share: 120 / 3600 },
    ])
  })

  it('is downloaded as CDS, CSV and zip, safe for spreadsheets', async () => {
    await publish(await save({ ...loading, name: '=1+1' }, [getZoneId(50)]))
    const read = async (format: 'json' | 'csv'): Promise<string> =>
      Buffer.from(
        await call(app, city.viewer, downloadCurbPolicies, { params, query: { format } }),
      ).toString()
    const { data, time_zone: zone } = JSON.parse(await read('json')) as {
      data: { policies: { name: string }[] }
      time_zone: string
    }
    expect(zone).toBe('America/New_York')
    expect(data.policies.map(({ name }) => name)).toEqual(['=1+1', 'Loading for trucks', 'Zebra, paid'])
    const lines = (await read('csv')).split('\n')
    expect(lines).toHaveLength(5)
    expect(lines[1]).toContain(",'=1+1,")
    expect(lines[3]).toContain(',"Zebra, paid",')
    const zip = unzipSync(await call(app, city.viewer, downloadPoliciesAndZones, { params }))
    expect(Object.keys(zip).toSorted()).toEqual(['policies.csv', 'policies.json', 'zones.geojson'])
    const features = (
      JSON.parse(Buffer.from(zip['zones.geojson'] ?? []).toString()) as {
        features: { properties: { curb_zone_id: string; curb_policy_ids: string[] } }[]
      }
    ).features
    expect(features).toHaveLength(60)
    expect(features.filter(({ properties }) => properties.curb_policy_ids.length > 0)).toHaveLength(7)
  })
})

describe('checks of a draft', () => {
  const lint = async (policy: CdsPolicyContent, curb_zone_ids: string[] = [], curb_policy_id?: string) =>
    (
      await call(app, city.viewer, lintCurbPolicy, {
        params,
        body: { policy, curb_zone_ids, curb_policy_id },
      })
    ).findings

  it('find gaps in rates, and overlaps with other policies of the zones', async () => {
    expect(await lint(paid)).toEqual([])
    const gap = await lint({
      ...paid,
      rules: [
        { activity: 'parking', max_stay: 120, rate: [{ rate: 5, rate_unit: 'minute', end_duration: 60 }] },
      ],
    })
    expect(gap).toMatchObject([{ code: 'rate_too_short', severity: 'error', other: null, zone_count: null }])
    expect(gap[0]?.path).toMatch(/^rules\.0/)
    const ban: CdsPolicyContent = { name: 'Ban', priority: 60, rules: [{ activity: 'no stopping' }] }
    const [first] = (await call(app, city.viewer, filterCurbPolicies, { params, body: { text: 'Loading' } }))
      .items
    const other = { curb_policy_id: first?.id, name: 'Loading for trucks' }
    expect(await lint(ban, [getZoneId(10), getZoneId(11), getZoneId(12)])).toMatchObject([
      { code: 'never_applies', is_about_other: true, other, zone_count: 2 },
      { code: 'contradiction', severity: 'error', is_about_other: false, other, zone_count: 2 },
    ])
    // The versions of one regulation do not overlap with each other.
    expect(await lint({ ...loading, priority: 60 }, [getZoneId(10)], first?.id)).toEqual([])
  })

  it('find regulations that take precedence in the chosen zones', async () => {
    const check = (policy: CdsPolicyContent, curb_zone_ids: string[]) =>
      call(app, city.viewer, lintCurbPolicy, { params, body: { policy, curb_zone_ids } })
    const ban: CdsPolicyContent = { name: 'Ban', priority: 95, rules: [{ activity: 'no stopping' }] }
    const found = await check(ban, [getZoneId(10), getZoneId(11), getZoneId(12)])
    expect(found.precedences).toContainEqual(
      expect.objectContaining({
        other: expect.objectContaining({ name: 'Loading for trucks', priority: 60 }),
        is_other_first: true,
        times: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', until: '24:00' }],
        is_every_week: true,
        users: ['delivery', 'truck'],
        zone_count: 2,
      }),
    )
    const first = await check({ ...ban, priority: 5 }, [getZoneId(10), getZoneId(11), getZoneId(12)])
    expect(first.precedences.map((precedence) => precedence.is_other_first)).not.toContain(true)
    expect(first.other_count).toBeGreaterThan(0)
    expect(await check(ban, [])).toMatchObject({ other_count: 0, precedences: [] })
  })
})

test('shapes of the curb layer name their regulations', async () => {
  const store = app.state.as(systemScope)
  const now = new Date()
  await store.transaction().execute((within) => mirrorLayer(within, systemScope, 'alder', now))
  const findShape = async (index: number): Promise<{ region_id: string; shape_uuid: string }> => ({
    ...params,
    shape_uuid: (
      await store
        .selectFrom('curb_zone')
        .select('shape_uuid')
        .where('region_id', '=', 'alder')
        .where('curb_zone_id', '=', getZoneId(index))
        .executeTakeFirstOrThrow()
    ).shape_uuid,
  })
  const [inForceAt, draftAt, none] = [await findShape(41), await findShape(30), await findShape(59)]
  const listNamesOf = async (endpoint: typeof listShapePolicies, shape: typeof none): Promise<string[]> =>
    (await call(app, city.viewer, endpoint, { params: shape })).items.map(({ policy_name: name }) => name)
  expect(await listNamesOf(listShapePolicies, inForceAt)).toEqual(['Zebra, paid'])
  expect(await listNamesOf(getShapeCalendar as never, inForceAt)).toEqual(['Zebra, paid'])
  expect(await listNamesOf(listPotentialRules as never, inForceAt)).toEqual([])
  expect(await listNamesOf(listPotentialRules as never, draftAt)).toEqual(['Guarded'])
  expect(await listNamesOf(listShapePolicies, none)).toEqual([])
  const [policy] = (await call(app, city.viewer, getShapeCalendar, { params: inForceAt })).items
  expect(policy).toMatchObject({
    rules: [{ activity: 'parking', unit: 'hour', maximum: 2 }],
    schedules: [{ schedule_type: 'recurring', start_time: '08:00', end_time: '18:00' }],
  })
  expect(await call(app, city.viewer, shapeHasCurbPolicies, { params: inForceAt })).toEqual({
    has_policies: true,
  })
  expect(await call(app, city.viewer, shapeHasPolicies, { params: inForceAt })).toEqual({
    has_policies: false,
  })
})

test('curb zones are found by street, by id, in a box and with their lengths', async () => {
  const found = await call(app, city.viewer, listCurbZoneChoices, {
    params,
    query: { text: '2nd avenue 3', size: 5 },
  })
  expect(found.total).toBe(4)
  expect(found.items[0]).toMatchObject({ street_name: '2nd Street', length_m: 60, num_spaces: 9 })
  const choices = await call(app, city.viewer, findCurbZoneChoices, {
    params,
    body: { curb_zone_ids: [getZoneId(1), farZones[0] ?? '', 'unknown'] },
  })
  expect(choices.items.map(({ curb_zone_id: id }) => id)).toEqual([getZoneId(1)])
  const { lat, lon } = regions.alder
  const near = { west: lon - 0.01, south: lat - 0.0002, east: lon + 0.01, north: lat + 0.0002 }
  const box = await call(app, city.viewer, listCurbZonesWithin, { params, query: near })
  expect(box).toMatchObject({ is_complete: true })
  expect(box.items).toHaveLength(10)
  const lengths = await call(app, city.viewer, lookUpZoneLengths, { params })
  expect(lengths.total_length_m).toBe(3600)
  expect(lengths.items).toHaveLength(60)
})

test('curb settings are read, and changed by one editor at a time', async () => {
  const { settings } = await call(app, city.viewer, getCurbSettings, { params })
  expect(settings).toEqual({ assumedVehicleLength: 610, designatedPeriods: {}, isPublic: false })
  const changed = await call(app, city.admin, changeCurbSettings, {
    params,
    body: { designatedPeriods: { holidays: ['2026-12-25'] }, if_settings: settings },
  })
  expect(changed.settings).toEqual({ ...settings, designatedPeriods: { holidays: ['2026-12-25'] } })
  const late = await send(app, city.admin, changeCurbSettings, {
    params,
    body: { assumedVehicleLength: 550, if_settings: settings },
  })
  expect(readProblem(late)).toMatchObject({ status: 409, current: changed.settings })
})
