import type {
  ComplianceFact,
  ComplianceRecord,
  ComplianceSummary,
  OperatorCompliance,
} from '#contract/compliance.ts'
import { shapeId } from '#web/map-page/test-geography.ts'
import { constantId, policyId, testPolicy } from '#web/policies/test-policy.ts'
import { policiesResponses } from '#web/policies/test-policy-responses.ts'

/** For tests: a compliant day. */
export const aRecord = (overrides: Partial<ComplianceRecord> = {}): ComplianceRecord => ({
  date: '2026-11-20',
  operator: 'glide',
  shape_uuid: shapeId,
  shape_name: 'North',
  status: 'compliant',
  vehicle_count: 0,
  drop_offs_count: null,
  reason: 'Nothing found that breaks the policy.',
  reason_code: 'none_found',
  measure: 'parking_events',
  measured: 0,
  minimum: null,
  maximum: null,
  unit: null,
  violations: 0,
  uncertain: 0,
  gap_hours: 0,
  provisional: false,
  policy_uuid: policyId,
  method_version: 1,
  counts_uncertain: false,
  ...overrides,
})

export const aBreach = (violations: number, overrides: Partial<ComplianceRecord> = {}): ComplianceRecord =>
  aRecord({
    status: 'non_compliant',
    reason_code: 'found',
    measured: violations,
    violations,
    vehicle_count: violations,
    ...overrides,
  })

export const aFact = (overrides: Partial<ComplianceFact> = {}): ComplianceFact => ({
  kind: 'parking_event',
  fact_id: 'fact-1',
  date: '2026-11-20',
  operator: 'glide',
  shape_uuid: shapeId,
  shape_name: 'North',
  device_id: 'd1',
  vehicle_id: 'V-1',
  vehicle_type: 'scooter',
  from_time: '2026-11-20T15:00:00Z',
  until_time: '2026-11-20T16:30:00Z',
  lon: 0.5,
  lat: 0.5,
  trip_id: null,
  value: 90,
  accuracy: 12,
  is_violation: true,
  is_uncertain: false,
  ...overrides,
})

const anOperator = (overrides: Partial<OperatorCompliance> = {}): OperatorCompliance => ({
  status: 'compliant',
  daysCount: 0,
  violationCount: 0,
  violationType: 'parking_events',
  countType: 'events',
  uncertainCount: 0,
  compliantDays: 2,
  notApplicableDays: 0,
  days: [
    { date: '2026-11-20', status: 'compliant', violations: 0 },
    { date: '2026-11-21', status: 'compliant', violations: 0 },
  ],
  ...overrides,
})

export const aSummary = (overrides: Partial<ComplianceSummary> = {}): ComplianceSummary => ({
  policy_uuid: policyId,
  constant_policy_uuid: constantId,
  policyName: 'Wharf',
  policyType: 'no_parking',
  status: 'published',
  is_deleted: false,
  complianceData: {
    glide: anOperator({
      status: 'non_compliant',
      daysCount: 1,
      violationCount: 7,
      compliantDays: 1,
      days: [
        { date: '2026-11-20', status: 'non_compliant', violations: 7 },
        { date: '2026-11-21', status: 'compliant', violations: 0 },
      ],
    }),
    skip: anOperator(),
  },
  ...overrides,
})

const region = '/v2/regions/port-meridian'
const measured = testPolicy({
  policy_type: 'no_parking',
  published: true,
  status: 'published',
  published_policy_uuid: policyId,
})

/** The replies of a server with one measured policy: two days of two operators. */
export const complianceResponses = (
  records: readonly ComplianceRecord[] = [
    aBreach(7),
    aRecord({ date: '2026-11-21' }),
    aRecord({ operator: 'skip' }),
    aRecord({
      operator: 'skip',
      date: '2026-11-21',
      status: 'not_applicable',
      reason_code: 'no_feed',
      measured: null,
    }),
  ],
  facts: readonly ComplianceFact[] = [aFact()],
) => ({
  ...policiesResponses([measured]),
  [`GET /v2/policies/constant/${constantId}/kept`]: () => ({ policy: { ...measured, is_deleted: false } }),
  [`GET ${region}/policies/compliance/summary`]: () => ({
    data: [aSummary()],
    start_date: '2026-11-15',
    end_date: '2026-11-22',
    today: '2026-11-22',
    as_of: '2026-11-22T16:50:00Z',
  }),
  'POST /v2/policy_compliance/for_policy': () => records,
  [`POST ${region}/compliance/facts`]: () => ({ items: facts, total: facts.length, page: 1, size: 50 }),
  [`POST ${region}/compliance/try`]: () => ({ records, compared: null, took_ms: 1200 }),
})
