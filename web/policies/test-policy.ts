import i18next from 'i18next'
import { emptyPolicy, type PolicyFields } from '#contract/policy.ts'
import type { ListedPolicy } from '#contract/policies.ts'
import { layerId } from '#web/map-page/test-geography.ts'
import type { PolicyTextContext } from './policy-text-context.ts'

export const policyId = '11111111-ceea-467f-a0e6-7a1d2b3c4d5e'
export const constantId = '22222222-ceea-467f-a0e6-7a1d2b3c4d5e'

/** For tests: a policy of the library. */
export const testPolicy = (overrides: Partial<ListedPolicy> = {}): ListedPolicy => ({
  ...emptyPolicy(),
  policy_type: 'no_ride',
  policy_name: 'Wharf',
  shape_layer_uuid: layerId,
  policy_uuid: policyId,
  constant_policy_uuid: constantId,
  region_id: 'port-meridian',
  published: false,
  published_time: null,
  created_by_email: 'ada@city.example',
  created_time: '2026-11-20T15:00:00.000Z',
  modified_time: '2026-11-20T15:00:00.000Z',
  modified_by_email: 'ada@city.example',
  status: 'saved',
  published_policy_uuid: null,
  ...overrides,
})

export const testFields = (overrides: Partial<PolicyFields> = {}): PolicyFields => ({
  ...emptyPolicy(),
  policy_name: 'Wharf',
  policy_type: 'no_ride',
  ...overrides,
})

export const testTextContext = (): PolicyTextContext => ({
  t: i18next.t,
  language: 'en-US',
  currency: 'USD',
  operatorName: (slug) => slug.toUpperCase(),
  layerName: (id) => (id === layerId ? 'Wards' : null),
})
