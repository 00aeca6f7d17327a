import fs from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays } from '#contract/period.ts'
import { emptyPolicy, type PolicyFields } from '#contract/policy.ts'
import { systemScope } from '#server/identity/scope.ts'
import { countFactHours } from '#server/fleet/fact-changes.ts'
import { openState, type State } from '#server/stores/state.ts'
import { readConfig } from '#server/config.ts'
import { createDataDir } from '../../../test/new-data-dir.ts'
import { makeDayRule } from './make-day-rule.ts'
import { makeDayWindows } from './day-windows.ts'
import { findStoredDays, storeDays, readFactVersions } from './stored-days.ts'
import type { MeasuredDay } from './measure-days.ts'
import { storeRegion } from '../../../test/store-region.ts'

const dataDir = createDataDir()
let state: State
const region = 'alder'
const policyId = '00000000-0000-4000-8000-00000000000a'
const zone = 'America/New_York'
const place = { timezone: zone, lostAfterHours: 48 }
const [first, last] = ['2026-06-01', '2026-06-05'] as const
const after = Date.parse('2026-06-20T00:00Z')

beforeAll(async () => {
  state = await openState(readConfig({ DATA_DIR: dataDir, DEMO: 'off' }))
  const store = state.as(systemScope)
  const organization = '00000000-0000-4000-8000-000000000001'
  await storeRegion(state, {
    organization_id: organization,
    region_id: region,
    text: 'Alder',
    lat: 41,
    lon: -72,
    timezone: zone,
  })
  await store
    .insertInto('policy')
    .values({
      policy_id: policyId,
      constant_policy_id: policyId,
      revision: 1,
      region_id: region,
      fields: '{}',
      currency: 'USD',
      created_time: new Date(0),
      modified_time: new Date(0),
    })
    .execute()
}, 60_000)
afterAll(async () => {
  await state.close()
  fs.rmSync(dataDir, { recursive: true, force: true })
})

const makeRule = (overrides: Partial<PolicyFields>) => {
  const rule = makeDayRule({ ...emptyPolicy(), shape_layer_uuid: 'citywide', ...overrides }, [], {
    policyId,
    from: -Infinity,
    until: null,
  })
  if (!rule) throw new Error('No rule')
  return rule
}
const noParking = makeRule({ policy_type: 'no_parking' })
const windows = makeDayWindows(noParking, first, last, zone)
const makeMeasuredDays = (open: string[] = []): MeasuredDay[] =>
  windows.map(({ day }) => ({
    day,
    present: null,
    figures: [
      { operator: 'swift', shape: 0, measured: 2, vehicles: 1, uncertain: 0, open: open.includes(day) },
    ],
  }))
const readVersions = (rule = noParking) =>
  readFactVersions(state, systemScope, { regionId: region, rule, windows, region: place })
const store = async (days: MeasuredDay[], now = after) =>
  storeDays(state.as(systemScope), {
    regionId: region,
    policyId,
    windows,
    measured: days,
    versions: await readVersions(),
    now,
  })
const find = async (acceptedFrom?: number) =>
  findStoredDays(state.as(systemScope), policyId, await readVersions(), acceptedFrom)
const listStoredDays = async (acceptedFrom?: number) => [...(await find(acceptedFrom)).keys()].toSorted()
type Versions = Awaited<ReturnType<typeof readVersions>>
const listChangedDays = (before: Versions, now: Versions) =>
  [...now]
    .filter(([day, version]) => before.get(day)?.factChanges !== version.factChanges)
    .map(([day]) => day)
const toDays = (...numbers: number[]) => numbers.map((number) => addDays('2026-06-01', number - 1))

describe('measured days', () => {
  it('a measured day is stored once it has ended, and is not up to date with an open parking event', async () => {
    await store(makeMeasuredDays(['2026-06-02']), Date.parse('2026-06-05T12:00Z'))
    expect(await listStoredDays()).toEqual(toDays(1, 3, 4))
    await store(makeMeasuredDays())
    expect(await listStoredDays()).toEqual(toDays(1, 2, 3, 4, 5))
    expect((await find()).get('2026-06-03')).toEqual({
      measured: makeMeasuredDays()[2],
      measuredAt: after,
      isCurrent: true,
    })
  })

  it('a measured day is outdated once facts of its hours are derived again; other days of the UTC day are not', async () => {
    await countFactHours(state, systemScope, region, [
      Date.parse('2026-06-03T02:00Z'),
      Date.parse('2026-06-03T20:00Z'),
    ])
    expect(await listStoredDays()).toEqual(toDays(1, 4, 5))
    await store(makeMeasuredDays())
    expect(await listStoredDays()).toEqual(toDays(1, 2, 3, 4, 5))
    await countFactHours(state, systemScope, region, [Date.parse('2026-06-03T20:00Z')])
    expect(await listStoredDays()).toEqual(toDays(1, 2, 4, 5))
  })

  it('a day is accepted for some time if only facts changed since, also with an open parking event', async () => {
    await store(makeMeasuredDays(['2026-06-01']))
    await countFactHours(state, systemScope, region, [Date.parse('2026-06-02T20:00Z')])
    expect(await listStoredDays()).toEqual(toDays(3, 4, 5))
    const accepted = await find(after)
    expect([...accepted].map(([day, { isCurrent }]) => [day, isCurrent]).toSorted()).toEqual(
      toDays(1, 2, 3, 4, 5).map((day, index) => [day, index > 1]),
    )
    expect(await listStoredDays(after + 1)).toEqual(toDays(3, 4, 5))
    const other = await readVersions()
    for (const [day, version] of other) other.set(day, { ...version, basis: version.basis + 1n })
    expect(await findStoredDays(state.as(systemScope), policyId, other, after)).toEqual(new Map())
    await store(makeMeasuredDays())
  })

  it('measured days depend on later days if a parking event can still exceed its limit', async () => {
    const limit = makeRule({ policy_type: 'parking_time_limit', maximum: 2, unit: 'days' })
    const before = await readVersions(limit)
    await countFactHours(state, systemScope, region, [Date.parse('2026-06-06T12:00Z')])
    const now = await readVersions(limit)
    expect(listChangedDays(before, now)).toEqual(toDays(4, 5))
    expect(
      await readFactVersions(state, systemScope, {
        regionId: region,
        rule: noParking,
        windows: [],
        region: place,
      }),
    ).toEqual(new Map())
  })

  it('a day of imported rules depends on earlier days with dwell times, and on operators of provider ids', async () => {
    const [policy_type, shape] = ['unknown', '00000000-0000-4000-8000-000000000005']
    const rule = {
      rule_id: 'r',
      name: 'r',
      rule_type: 'time',
      rule_units: 'hours',
      maximum: 12,
      geographies: ['g'],
    }
    const makeImportedRule = (operators: string[]) =>
      makeRule({
        policy_type,
        operators,
        imported_mds: {
          rules: [rule],
          currency: 'USD',
          provider_ids: ['p'],
          places: [{ geography_id: 'g', name: 'g', shape_uuids: [shape] }],
        },
      })
    const before = await readVersions(makeImportedRule(['swift']))
    await countFactHours(state, systemScope, region, [Date.parse('2026-05-30T12:00Z')])
    const now = await readVersions(makeImportedRule(['swift']))
    expect(listChangedDays(before, now)).toEqual(toDays(1))
    expect((await readVersions(makeImportedRule(['robin']))).get('2026-06-05')).not.toEqual(
      now.get('2026-06-05'),
    )
    expect(await readVersions(makeImportedRule(['robin', 'swift']))).toEqual(
      await readVersions(makeImportedRule(['swift', 'robin'])),
    )
  })

  it('a measured day has different versions after one change and after two', async () => {
    const before = (await readVersions()).get('2026-06-01')
    await countFactHours(state, systemScope, region, [])
    expect((await readVersions()).get('2026-06-01')).toEqual(before)
    await countFactHours(state, systemScope, region, [Date.parse('2026-06-01T12:00Z')])
    await countFactHours(state, systemScope, region, [Date.parse('2026-06-01T12:00Z')])
    expect((await readVersions()).get('2026-06-01')).toEqual({
      ...before,
      factChanges: (before?.factChanges ?? 0n) + 2n,
    })
  })
})
