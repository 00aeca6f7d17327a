import { expect, test } from 'vitest'
import type { CdsPolicyContent } from '#contract/cds.ts'
import { CurbPolicyV2 } from '#contract/curb-policy-view.ts'
import { toPolicyV2, getRegulationStatus } from './policy-view.ts'

const at = new Date('2026-06-01T12:00:00Z')
const place = { id: 'p1', isPublished: true, layerId: null, currency: 'JPY', timezone: 'America/New_York' }
const policy: CdsPolicyContent = {
  name: 'Loading',
  priority: 40,
  rules: [
    {
      activity: 'loading',
      user_classes: ['truck', 'car'],
      max_stay: 30,
      rate: [
        { rate: 0, rate_unit: 'minute', end_duration: 15 },
        { rate: 250, rate_unit: 'hour', start_duration: 1, maximum_fee: 900 },
      ],
    },
  ],
  time_spans: [
    { start_date: Date.parse('2026-05-01T04:00:00Z'), end_date: Date.parse('2026-07-01T04:00:00Z') },
    { months: [5], designated_period: 'holidays', start_date: Date.parse('2026-05-10T04:00:00Z') },
  ],
}

test('The view of a policy shows rules, rates in major units and schedules in the Policy v2 shape', () => {
  const view = CurbPolicyV2.parse(toPolicyV2(policy, place, at))
  expect(view).toMatchObject({
    id: 'p1',
    type: 'loading',
    category: 'curb',
    vehicle_types: ['car'],
    user_class: ['truck', 'car'],
    start_date: '2026-05-01',
    // The second span has no end.
    end_date: null,
    status: 'published',
  })
  expect(view.rules).toEqual([
    {
      activity: 'loading',
      unit: 'minute',
      maximum: 30,
      policy: 'p1',
      rate: [
        { rate_type: 'free', value: 0, start_duration: null, end_duration: 15, maximum_fee: null },
        { rate_type: 'per_hour', value: 250, start_duration: 1, end_duration: null, maximum_fee: 900 },
      ],
    },
  ])
  expect(view.schedules.map(({ schedule_type: type }) => type)).toEqual(['dates', 'designated_period'])
})

test('The view of a policy treats an end at midnight as the day before, and a policy without time spans as always in force', () => {
  const [firstSpan] = policy.time_spans ?? []
  const view = toPolicyV2({ ...policy, time_spans: firstSpan ? [firstSpan] : [] }, place, at)
  expect(view.end_date).toBe('2026-06-30')
  expect(toPolicyV2({ ...policy, time_spans: [] }, place, at).schedules).toMatchObject([
    { schedule_type: 'always' },
  ])
})

test('A policy is expired when its last time span has ended', () => {
  const endedPolicy = { ...policy, time_spans: [{ end_date: at.getTime() }, { end_date: at.getTime() - 1 }] }
  expect(getRegulationStatus(endedPolicy, true, at)).toBe('expired')
  expect(getRegulationStatus(endedPolicy, true, new Date(at.getTime() - 1))).toBe('published')
  expect(getRegulationStatus({ ...endedPolicy, time_spans: [] }, false, at)).toBe('saved')
})
