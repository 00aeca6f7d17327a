import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { changeType } from '#contract/policy-types/change-type.ts'
import { findPolicyType, policyTypes } from '#contract/policy-types/list.ts'
import { ruleId } from '#contract/policy-types/mds-rules.ts'
import { sentPolicy } from '#contract/policy-types/sent-policy.ts'
import { validatePolicy } from '#contract/policy-types/validate-policy.ts'
import { noticeMs, PolicyFields, type Policy } from '#contract/policy.ts'
import { anyPolicy } from '../../test/any-policy.ts'
import { loadFeedSchema } from '../../test/mds-feed-schemas.ts'
import { getEffectivePeriod, toMdsPolicy } from './to-mds-policy.ts'
import { downgradePolicies } from './feed/downgrade-mds.ts'
import { readFields, toStoredFields } from './stored-fields.ts'

const settings = { numRuns: Number(process.env['POLICY_RUNS'] ?? 40) }
const usd = { currency: 'USD' }
const id = 'aaaaaaaa-1111-4222-8333-bbbbbbbbbbbb'
const published = Date.UTC(2026, 2, 2)
const publication = {
  geographies: [
    { geography_id: 'cccccccc-0000-4000-8000-000000000001', name: 'North' },
    { geography_id: id, name: 'South' },
  ],
  providerIds: [],
  currency: 'USD',
  published,
  start: published + noticeMs,
  end: null,
  previous: [],
}
const toPolicy = (fields: PolicyFields): Policy => ({
  ...fields,
  policy_uuid: id,
  constant_policy_uuid: id,
  region_id: 'r',
  published: true,
  published_time: null,
  created_by_email: null,
  created_time: '',
  modified_time: '',
  modified_by_email: null,
  status: 'published',
})

describe('any policy', () => {
  it('a policy does not change when it is sent again', () =>
    fc.assert(
      fc.property(anyPolicy, (policy) => {
        expect(sentPolicy(sentPolicy(policy))).toEqual(sentPolicy(policy))
      }),
      settings,
    ))

  it('converts any policy to either version of MDS', () =>
    fc.assert(
      fc.property(anyPolicy, (policy) => {
        expect(PolicyFields.safeParse(sentPolicy(policy)).success).toBe(true)
      }),
      settings,
    ))

  it('a policy has no new faults after it is sent', () =>
    fc.assert(
      fc.property(anyPolicy, (policy) => {
        expect(
          Object.keys(validatePolicy(sentPolicy(policy), usd)).every(
            (field) => field in validatePolicy(policy, usd),
          ),
        ).toBe(true)
      }),
      settings,
    ))

  it('stores any policy, and reads it back with exact amounts', () =>
    fc.assert(
      fc.property(anyPolicy, (policy) => {
        expect(readFields(JSON.parse(toStoredFields(policy, 'USD')), 'USD')).toEqual(policy)
      }),
      settings,
    ))

  it('a policy is valid in both official schemas if it has no faults', () => {
    let sound = 0
    fc.assert(
      fc.property(anyPolicy, (anyFields) => {
        const policy = sentPolicy(anyFields)
        if (Object.keys(validatePolicy(policy, usd)).length) return
        sound += 1
        const mds = toMdsPolicy(toPolicy(policy), publication)
        expect(loadFeedSchema('policy-2.0')(mds)).toBeNull()
        expect(loadFeedSchema('policies-1.2')(downgradePolicies([mds], published))).toBeNull()
        expect(new Set(mds.rules.map(({ rule_id: rule }) => rule)).size).toBe(mds.rules.length)
        expect(mds.rules.length).toBeGreaterThan(0)
      }),
      { numRuns: settings.numRuns * 3 },
    )
    expect(sound).toBeGreaterThan(0)
  })

  it('a policy loses the fields that a new type does not have when its type changes', () => {
    fc.assert(
      fc.property(anyPolicy, fc.constantFrom(...policyTypes.map(({ name }) => name)), (policy, name) => {
        const changed = changeType(policy, name, { locale: 'en-US' })
        const type = findPolicyType(name)
        expect([changed.policy_type, changed.minimum, changed.maximum]).toEqual([name, null, null])
        expect(changed.unit === null || type?.units?.includes(changed.unit)).toBe(true)
        expect(
          type?.offeredFields(changed).includes('days')
            ? []
            : [changed.start_time, changed.end_time, ...changed.days],
        ).toEqual(type?.offeredFields(changed).includes('days') ? [] : [null, null])
      }),
      settings,
    )
  })

  it('a policy is in force for whole local days, after the notice', () => {
    const zones = fc.constantFrom(
      'America/New_York',
      'Australia/Lord_Howe',
      'America/St_Johns',
      'Pacific/Apia',
      'UTC',
    )
    fc.assert(
      fc.property(
        anyPolicy,
        zones,
        fc.integer({ min: Date.UTC(2024, 9), max: Date.UTC(2030, 1) }),
        (policy, zone, now) => {
          const { start, end } = getEffectivePeriod(sentPolicy(policy), new Date(now), zone)
          const clock = (ms: number) =>
            new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'medium' }).format(ms)
          expect(start).toBeGreaterThanOrEqual(now + noticeMs)
          expect(start === now + noticeMs || clock(start) === '00:00:00').toBe(true)
          expect(end === null || end === start || (end > start && clock(end) === '00:00:00')).toBe(true)
          expect(end === null).toBe(policy.end_date === null)
        },
      ),
      settings,
    )
  })
})

test('Any policy has rule ids that differ from those of other policies and rules', () => {
  const uuid = fc.uuid({ version: 4 })
  fc.assert(
    fc.property(uuid, uuid, fc.nat(5000), fc.nat(5000), (policyId, otherPolicyId, index, otherIndex) => {
      expect(ruleId(policyId, index) === ruleId(otherPolicyId, otherIndex)).toBe(
        policyId === otherPolicyId && index === otherIndex,
      )
    }),
    settings,
  )
})
