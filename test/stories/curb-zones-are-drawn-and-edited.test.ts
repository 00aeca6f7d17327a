import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CdsPolicyContent } from '#contract/cds.ts'
import {
  CurbEditConflicts,
  type CurbEdits,
  type CurbEditZone,
  findCurbEditZones,
  listCurbChangeSets,
  saveCurbEdits,
} from '#contract/curb-edits.ts'
import { getCurbZone, listCurbZonesAt } from '#contract/curb-map.ts'
import { getCurbPolicy, publishCurbPolicy, saveCurbPolicy } from '#contract/curb-regulations.ts'
import { dayMs } from '#contract/period.ts'
import type { Geometry, Position } from '#contract/place.ts'
import { publishImport } from '#server/curb/store/publish-import.ts'
import { undoImport } from '#server/curb/store/undo-import.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { call, openTestApp, readProblem, send, type TestApp } from '../app.ts'
import { makeRegions, regions, type TestCity } from '../city.ts'
import { addInventory, stageImport } from '../curb/stage-import.ts'

const region_id = 'alder'
const params = { region_id }
let app: TestApp
let city: TestCity
let author: { scope: ReturnType<typeof regionScope>; email: string }
let inventory: string
let importId: string
beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  author = { scope: regionScope(city.organizations.alder, region_id), email: 'planner@example.com' }
  inventory = await addInventory(app, region_id, 'Survey')
})
afterAll(() => app.close())

const { lon, lat } = regions.alder
/** Returns a position in meters east and north of the center. */
const makePosition = (east: number, north: number): Position => [lon + east / 82_000, lat + north / 111_000]
const makeLine = (...places: Position[]): Geometry => ({ type: 'LineString', coordinates: places })

const free: CdsPolicyContent = { name: 'Free', priority: 99, rules: [{ activity: 'parking' }] }
const ban: CdsPolicyContent = { name: 'No stopping', priority: 1, rules: [{ activity: 'no stopping' }] }

const makeZone = (geometry: Geometry, overrides: Partial<CurbEditZone> = {}) => ({
  geometry,
  name: '',
  street_name: '1st Street',
  cross_street_start_name: '',
  cross_street_end_name: '',
  street_side: 'N' as const,
  num_spaces: null,
  curb_policy_ids: [],
  ...overrides,
})
const getFields = ({
  curb_zone_id: _id,
  inventory_name: _name,
  length_m: _length,
  updated_time: _time,
  end_time: _end,
  ...rest
}: CurbEditZone) => rest
const getVersion = ({ curb_zone_id, updated_time }: CurbEditZone) => ({
  curb_zone_id,
  if_updated_time: updated_time,
})
const findZones = async (ids: string[]) =>
  (await call(app, city.admin, findCurbEditZones, { params, body: { curb_zone_ids: ids } })).items
const save = (body: Partial<CurbEdits>) => call(app, city.admin, saveCurbEdits, { params, body })
const listFirstStreet = async () =>
  (await call(app, city.viewer, listCurbZonesAt, { params, query: { text: '1st Street' } })).items
const getProblem = async (body: Partial<CurbEdits>) =>
  readProblem(await send(app, city.admin, saveCurbEdits, { params, body }))
const publishPolicy = async (policy: CdsPolicyContent): Promise<string> => {
  const saved = await call(app, city.admin, saveCurbPolicy, {
    params,
    body: { policy, curb_zone_ids: [helperId] },
  })
  const published = await call(app, city.admin, publishCurbPolicy, {
    params,
    body: { curb_policy_id: saved.id, published: true },
  })
  return published.id
}

/** A zone elsewhere to which all regulations apply. */
let helperId: string
let freeId: string
let banId: string
let imported: CurbEditZone
let drawn: CurbEditZone

test('a zone is drawn with a regulation and shown on the map', async () => {
  const far = await save({
    created: [
      {
        zone: makeZone(makeLine(makePosition(0, 905), makePosition(40, 905)), { street_name: '9th Street' }),
        from: [],
      },
    ],
  })
  helperId = far.zones[0]!.curb_zone_id
  freeId = await publishPolicy(free)
  banId = await publishPolicy(ban)
  const response = await save({
    created: [
      {
        zone: makeZone(makeLine(makePosition(0, 5), makePosition(61, 5)), {
          curb_policy_ids: [freeId],
          num_spaces: 8,
        }),
        from: [],
      },
    ],
    note: 'New block',
  })
  expect(response.change_set.counts).toEqual({ created: 1, changed: 0, replaced: 0, ended: 0 })
  drawn = response.zones[0]!
  expect([drawn.inventory_name, Math.round(drawn.length_m), drawn.curb_policy_ids]).toEqual([
    null,
    62,
    [freeId],
  ])
  const [row] = await listFirstStreet()
  expect(row).toMatchObject({ street_name: '1st Street', state: 'free_parking', capacity: 8 })
})

test('invalid zones are rejected with the reason, and nothing changes', async () => {
  const bad = await getProblem({
    created: [
      { zone: makeZone(makeLine(makePosition(0, 0), makePosition(0, 0))), from: [] },
      {
        zone: makeZone(
          makeLine(makePosition(0, 0), makePosition(50, 50), makePosition(50, 0), makePosition(0, 50)),
        ),
        from: [],
      },
      { zone: makeZone(makeLine(makePosition(0, 0), makePosition(60, 0)), { street_side: 'E' }), from: [] },
      {
        zone: makeZone(makeLine(makePosition(0, 0), makePosition(60, 0)), { curb_policy_ids: ['nothing'] }),
        from: [],
      },
      { zone: makeZone(makeLine(makePosition(0, 0), makePosition(60, 0))), from: [drawn.curb_zone_id] },
      { zone: makeZone(makeLine(makePosition(100_000, 0), makePosition(100_060, 0))), from: [] },
      { zone: makeZone({ type: 'Point', coordinates: makePosition(0, 0) }), from: [] },
    ],
  })
  expect([bad.status, bad.issues?.map(({ path }) => path)]).toEqual([
    422,
    [
      'body.created.0.zone.geometry',
      'body.created.1.zone.geometry',
      'body.created.2.zone.street_side',
      'body.created.3.zone.curb_policy_ids',
      'body.created.4.from',
      'body.created.5.zone.geometry',
      'body.created.6.zone.geometry',
    ],
  ])
  expect(bad.issues?.map(({ message }) => message).slice(0, 3)).toEqual([
    expect.stringContaining('no length'),
    expect.stringContaining('crosses itself'),
    expect.stringContaining('another side'),
  ])
  expect(await listFirstStreet()).toHaveLength(1)
})

test('regulations, spaces and side change under the same id', async () => {
  const response = await save({
    changed: [
      {
        ...getVersion(drawn),
        zone: { ...getFields(drawn), curb_policy_ids: [freeId, banId], num_spaces: 6, street_side: 'S' },
        from: [],
      },
    ],
  })
  expect(response.zones[0]).toMatchObject({
    curb_zone_id: drawn.curb_zone_id,
    num_spaces: 6,
    street_side: 'S',
    curb_policy_ids: [freeId, banId].toSorted(),
  })
  expect(response.change_set.edits).toEqual([
    expect.objectContaining({
      act: 'changed',
      fields: ['street_side', 'num_spaces', 'curb_policy_ids'],
      policies_added: [banId],
    }),
  ])
  const [row] = await listFirstStreet()
  expect([row?.state, row?.capacity]).toEqual(['no_stopping', 6])
  // The layer of curb zones is updated.
  const shapes = app.state.as(systemScope).selectFrom('shape').select('name').where('name', 'like', '1st%')
  expect(await shapes.execute()).toEqual([{ name: '1st Street, S side' }])
  expect(
    (
      await call(app, city.viewer, getCurbPolicy, { params: { ...params, curb_policy_id: banId } })
    ).curb_zone_ids.toSorted(),
  ).toEqual([helperId, drawn.curb_zone_id].toSorted())
})

test('a concurrent change is a conflict that includes the other version', async () => {
  const conflict = await getProblem({
    changed: [{ ...getVersion(drawn), zone: { ...getFields(drawn), name: 'Mine' }, from: [] }],
  })
  expect(conflict.status).toBe(409)
  const { conflicts } = CurbEditConflicts.parse(conflict.current)
  expect(conflicts.map(({ curb_zone_id: id, current }) => [id, current?.num_spaces])).toEqual([
    [drawn.curb_zone_id, 6],
  ])
  drawn = conflicts[0]!.current!
})

test('an empty change creates no edit', async () => {
  const response = await save({ changed: [{ ...getVersion(drawn), zone: getFields(drawn), from: [] }] })
  expect(response.change_set.edits).toEqual([])
  expect(response.zones).toEqual([drawn])
})

let halves: CurbEditZone[]
test('a split retires the id; both parts inherit the regulations and refer to their origin', async () => {
  const draft = await call(app, city.admin, saveCurbPolicy, {
    params,
    body: { policy: { ...ban, name: 'Later' }, curb_zone_ids: [drawn.curb_zone_id] },
  })
  const response = await save({
    changed: [
      {
        ...getVersion(drawn),
        zone: { ...getFields(drawn), geometry: makeLine(makePosition(0, 5), makePosition(30, 5)) },
        from: [],
      },
    ],
    created: [
      {
        zone: { ...getFields(drawn), geometry: makeLine(makePosition(30, 5), makePosition(61, 5)) },
        from: [drawn.curb_zone_id],
      },
    ],
  })
  halves = response.zones
  expect(response.change_set.edits.map(({ act, prev_curb_zone_ids: from }) => [act, from])).toEqual([
    ['created', [drawn.curb_zone_id]],
    ['replaced', [drawn.curb_zone_id]],
  ])
  expect(halves.map(({ curb_policy_ids: ids }) => ids)).toEqual([
    drawn.curb_policy_ids,
    drawn.curb_policy_ids,
  ])
  expect(await findZones([drawn.curb_zone_id])).toEqual([])
  const card = await call(app, city.viewer, getCurbZone, {
    params: { ...params, curb_zone_id: halves[0]!.curb_zone_id },
  })
  expect([card.zone.prev_curb_zone_ids, card.now.state]).toEqual([[drawn.curb_zone_id], 'no_stopping'])
  // A draft applies to both parts of the zone.
  const followed = await call(app, city.viewer, getCurbPolicy, {
    params: { ...params, curb_policy_id: draft.regulation_id },
  })
  expect(followed.curb_zone_ids.toSorted()).toEqual(halves.map(({ curb_zone_id: id }) => id).toSorted())
})

test('a merge ends one zone and gives the other one a new id', async () => {
  const [second, first] = halves as [CurbEditZone, CurbEditZone]
  const response = await save({
    changed: [
      {
        ...getVersion(first),
        zone: { ...getFields(first), geometry: makeLine(makePosition(0, 5), makePosition(61, 5)) },
        from: [second.curb_zone_id],
      },
    ],
    ended: [getVersion(second)],
  })
  expect(response.zones).toHaveLength(1)
  const card = await call(app, city.viewer, getCurbZone, {
    params: { ...params, curb_zone_id: response.zones[0]!.curb_zone_id },
  })
  expect(card.zone.prev_curb_zone_ids).toEqual([first.curb_zone_id, drawn.curb_zone_id, second.curb_zone_id])
  expect(await listFirstStreet()).toHaveLength(1)
})

test('the history shows author, time and change, of all zones and of one', async () => {
  const all = await call(app, city.admin, listCurbChangeSets, { params })
  expect(all.items.map(({ counts, note }) => [counts, note])).toEqual([
    [{ created: 0, changed: 0, replaced: 1, ended: 1 }, ''],
    [{ created: 1, changed: 0, replaced: 1, ended: 0 }, ''],
    [{ created: 0, changed: 1, replaced: 0, ended: 0 }, ''],
    [{ created: 1, changed: 0, replaced: 0, ended: 0 }, 'New block'],
    [{ created: 1, changed: 0, replaced: 0, ended: 0 }, ''],
  ])
  const ofDrawn = await call(app, city.admin, listCurbChangeSets, {
    params,
    query: { curb_zone_id: drawn.curb_zone_id },
  })
  expect([ofDrawn.total, new Set(all.items.map(({ by_email: email }) => email)).size]).toEqual([3, 1])
})

const makeRecord = (id: string, east: number) => ({
  id,
  staged: {
    kind: 'zone' as const,
    zone: {
      geometry: makeLine(makePosition(east, 105), makePosition(east + 50, 105)),
      street_name: '2nd Street',
      street_side: 'N' as const,
    },
    policies: [free],
    policyIds: [],
    history: [],
    capacity: [],
  },
})
const publishFile = async (time: Date): Promise<string> => {
  const id = await stageImport(app, region_id, inventory, [makeRecord('a', 0), makeRecord('b', 60)])
  await publishImport(app.state, author, { regionId: region_id, importId: id, effective: time, at: time })
  return id
}

test('an edited zone of an import stays in its source, and the next import replaces it', async () => {
  importId = await publishFile(new Date())
  const all = await call(app, city.admin, findCurbEditZones, {
    params,
    body: { box: [lon - 0.001, lat + 0.0008, lon + 0.01, lat + 0.0012] },
  })
  expect(all.items.map(({ inventory_name: name, curb_policy_ids: ids }) => [name, ids])).toEqual([
    ['Survey', [freeId]],
    ['Survey', [freeId]],
  ])
  imported = all.items.find(
    ({ geometry }) => geometry.type === 'LineString' && geometry.coordinates[0]![0] === lon,
  )!
  const { zones } = await save({
    changed: [
      {
        ...getVersion(imported),
        zone: { ...getFields(imported), geometry: makeLine(makePosition(5, 105), makePosition(50, 105)) },
        from: [],
      },
    ],
  })
  expect(zones[0]).toMatchObject({ inventory_name: 'Survey', curb_policy_ids: [freeId] })
  await expect(
    undoImport(app.state, author, { regionId: region_id, importId, at: new Date() }),
  ).rejects.toThrow('edited by hand')
  await publishFile(new Date())
  expect(await findZones([zones[0]!.curb_zone_id])).toEqual([])
  const again = await call(app, city.admin, findCurbEditZones, {
    params,
    body: { box: [lon - 0.001, lat + 0.0008, lon + 0.01, lat + 0.0012] },
  })
  expect(again.items.map(({ geometry }) => geometry)).toContainEqual(imported.geometry)
  expect(again.items).toHaveLength(2)
})

test('a change for a later day takes effect then, and its zone can be edited until then', async () => {
  const getDayAhead = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)
  const { zones } = await save({
    created: [
      {
        zone: makeZone(makeLine(makePosition(0, 305), makePosition(60, 305)), {
          street_name: 'Later St',
          curb_policy_ids: [freeId],
        }),
        from: [],
      },
    ],
  })
  const zone = zones[0]!
  const change = (days: number | null): Partial<CurbEdits> => ({
    changed: [
      {
        ...getVersion(zone),
        zone: {
          ...getFields(zone),
          geometry: makeLine(makePosition(0, 305), makePosition(40, 305)),
          curb_policy_ids: [banId],
        },
        from: [],
      },
    ],
    effective_day: days === null ? null : getDayAhead(days),
  })
  expect((await getProblem(change(-1))).issues?.map(({ path }) => path)).toEqual(['body.effective_day'])
  const saved = await save(change(5))
  expect(saved.change_set.effective_time?.slice(0, 7)).toBe(getDayAhead(5).slice(0, 7))
  expect(saved.zones[0]).toMatchObject({ curb_policy_ids: [banId] })
  expect(saved.zones[0]?.curb_zone_id).not.toBe(zone.curb_zone_id)
  const getStatesAt = async (days: number) =>
    (
      await call(app, city.viewer, listCurbZonesAt, {
        params,
        query: { text: 'Later St', at: Date.now() + days * dayMs },
      })
    ).items.map(({ curb_zone_id: id, state }) => [id, state])
  expect(await getStatesAt(0)).toEqual([[zone.curb_zone_id, 'free_parking']])
  expect(await getStatesAt(7)).toEqual([[saved.zones[0]?.curb_zone_id, 'no_stopping']])
  const [before] = await findZones([zone.curb_zone_id])
  expect(before?.end_time).toBe(saved.change_set.effective_time)
  // An edit of the present zone ends on the same day, and the later zone refers to it.
  const shorter = await save({
    changed: [
      {
        ...getVersion(before!),
        zone: {
          ...getFields(before!),
          geometry: makeLine(makePosition(0, 305), makePosition(50, 305)),
          curb_policy_ids: [banId],
        },
        from: [],
      },
    ],
  })
  const meanwhile = shorter.zones[0]!
  expect(meanwhile).toMatchObject({ end_time: before?.end_time, curb_policy_ids: [banId] })
  expect(await getStatesAt(1)).toEqual([[meanwhile.curb_zone_id, 'no_stopping']])
  expect(await getStatesAt(7)).toEqual([[saved.zones[0]?.curb_zone_id, 'no_stopping']])
  const next = await call(app, city.viewer, getCurbZone, {
    params: { ...params, curb_zone_id: saved.zones[0]!.curb_zone_id },
    query: { at: Date.now() + 7 * dayMs },
  })
  expect(next.zone.prev_curb_zone_ids).toEqual([meanwhile.curb_zone_id, zone.curb_zone_id])
  const renamed = await save({
    changed: [
      {
        ...getVersion(meanwhile),
        zone: { ...getFields(meanwhile), curb_policy_ids: [freeId, banId] },
        from: [],
      },
    ],
  })
  expect(renamed.zones[0]).toMatchObject({
    curb_zone_id: meanwhile.curb_zone_id,
    end_time: before?.end_time,
    curb_policy_ids: [freeId, banId].toSorted(),
  })
  const late = await getProblem({ ended: [getVersion(renamed.zones[0]!)], effective_day: getDayAhead(6) })
  expect(late.issues).toEqual([
    { path: 'body.ended.0', message: expect.stringContaining('ends this zone before that day') },
  ])
  await save({ ended: [getVersion(renamed.zones[0]!)] })
  expect(await getStatesAt(0)).toEqual([])
  expect(await getStatesAt(7)).toEqual([[saved.zones[0]?.curb_zone_id, 'no_stopping']])
})

test('users draw zones only with the permission to edit regulations', async () => {
  const response = await send(app, city.viewer, saveCurbEdits, { params, body: {} })
  expect(response.statusCode).toBe(403)
})
