import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayFromNumber, dayNumber } from '#contract/period.ts'
import { emptyPolicy, type PolicyFields } from '#contract/policy.ts'
import { systemScope } from '#server/identity/scope.ts'
import { countFactDays } from '#server/mobility/fact-days.ts'
import { openState, type State } from '#server/stores/state.ts'
import { readConfig } from '#server/config.ts'
import fs from 'node:fs'
import { newDataDir } from '../../../test/new-data-dir.ts'
import { dayRule } from './make-day-rule.ts'
import { dayWindows } from './day-windows.ts'
import { findKept, keepDays, notesOf } from './kept-days.ts'
import type { MeasuredDay } from './measure-days.ts'

const dataDir = newDataDir()
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
  await store
    .insertInto('organization')
    .values({ organization_id: organization, name: 'City', type: 'city' })
    .execute()
  await store
    .insertInto('region')
    .values({
      region_id: region,
      organization_id: organization,
      text: 'Alder',
      lat: 41,
      lon: -72,
      timezone: zone,
      map_zoom: 11,
      currency_code: 'USD',
      is_metric: true,
      logo_filename: null,
      allowed_maps: null,
    })
    .execute()
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

const ruleOf = (given: Partial<PolicyFields>) => {
  const rule = dayRule({ ...emptyPolicy(), shape_layer_uuid: 'citywide', ...given }, [], {
    policyId,
    from: -Infinity,
    until: null,
  })
  if (!rule) throw new Error('No rule')
  return rule
}
const noParking = ruleOf({ policy_type: 'no_parking' })
const windows = dayWindows(noParking, first, last, zone)
const measured = (open: string[] = []): MeasuredDay[] =>
  windows.map(({ day }) => ({
    day,
    present: null,
    figures: [
      { operator: 'swift', ground: 0, measured: 2, vehicles: 1, uncertain: 0, open: open.includes(day) },
    ],
  }))
const notes = (rule = noParking) => notesOf(state, systemScope, region, rule, windows, place)
const keep = async (days: MeasuredDay[], now = after) =>
  keepDays(state, systemScope, region, policyId, windows, days, await notes(), now)
const kept = async () => [...(await findKept(state, systemScope, policyId, await notes())).keys()].toSorted()
const days = (...numbers: number[]) =>
  numbers.map((number) => dayFromNumber(dayNumber('2026-06-01') + number - 1))

describe('days that were measured', () => {
  it('are kept once they are over, but for those with a rest that goes on', async () => {
    await keep(measured(['2026-06-02']), Date.parse('2026-06-05T12:00Z'))
    expect(await kept()).toEqual(days(1, 3, 4))
    await keep(measured())
    expect(await kept()).toEqual(days(1, 2, 3, 4, 5))
    expect((await findKept(state, systemScope, policyId, await notes())).get('2026-06-03')).toEqual(
      measured()[2],
    )
  })

  it('are out of date once facts of theirs are derived anew: a local day meets two UTC days', async () => {
    await countFactDays(state, systemScope, region, [
      Date.parse('2026-06-03T02:00Z'),
      Date.parse('2026-06-03T20:00Z'),
    ])
    expect(await kept()).toEqual(days(1, 4, 5))
    await keep(measured())
    expect(await kept()).toEqual(days(1, 2, 3, 4, 5))
    await countFactDays(state, systemScope, region, [Date.parse('2026-06-03T20:00Z')])
    expect(await kept()).toEqual(days(1, 4, 5))
  })

  it('wait longer for what a rest has time to break', async () => {
    const limit = ruleOf({ policy_type: 'parking_time_limit', maximum: 2, unit: 'days' })
    const before = await notes(limit)
    await countFactDays(state, systemScope, region, [Date.parse('2026-06-06T12:00Z')])
    const now = await notes(limit)
    expect([...now].filter(([day, noted]) => before.get(day) !== noted).map(([day]) => day)).toEqual(
      days(3, 4, 5),
    )
    expect(await notesOf(state, systemScope, region, noParking, [], place)).toEqual(new Map())
  })

  it('of imported rules depend on the days that clocks are carried over from, and on whom their providers are', async () => {
    const [policy_type, shape] = ['unknown', '00000000-0000-4000-8000-000000000005']
    const rule = {
      rule_id: 'r',
      name: 'r',
      rule_type: 'time',
      rule_units: 'hours',
      maximum: 12,
      geographies: ['g'],
    }
    const imported = (operators: string[]) =>
      ruleOf({
        policy_type,
        operators,
        imported_mds: {
          rules: [rule],
          currency: 'USD',
          provider_ids: ['p'],
          places: [{ geography_id: 'g', name: 'g', shape_uuids: [shape] }],
        },
      })
    const before = await notes(imported(['swift']))
    await countFactDays(state, systemScope, region, [Date.parse('2026-05-30T12:00Z')])
    const now = await notes(imported(['swift']))
    expect([...now].filter(([day, noted]) => before.get(day) !== noted).map(([day]) => day)).toEqual(
      days(1, 2),
    )
    expect((await notes(imported(['robin']))).get('2026-06-05')).not.toBe(now.get('2026-06-05'))
    expect(await notes(imported(['robin', 'swift']))).toEqual(await notes(imported(['swift', 'robin'])))
  })

  it('of what was noted once and what was noted twice are told apart', async () => {
    const before = (await notes()).get('2026-06-01')
    await countFactDays(state, systemScope, region, [])
    expect((await notes()).get('2026-06-01')).toBe(before)
    await countFactDays(state, systemScope, region, [Date.parse('2026-06-01T12:00Z')])
    await countFactDays(state, systemScope, region, [Date.parse('2026-06-01T12:00Z')])
    expect((await notes()).get('2026-06-01')).toBe((before ?? 0n) + 2n)
  })
})
