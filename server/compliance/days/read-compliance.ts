import {
  type ComplianceRecord,
  type ComplianceSummary,
  type getComplianceForPolicy,
  type getComplianceSummary,
  type tryPolicy,
  type ComplianceStatus,
  measureNames,
  type OperatorCompliance,
} from '#contract/compliance.ts'
import type { EndpointOutput, ParsedRequest } from '#contract/endpoint.ts'
import { dayFromNumber, dayNumber, type LocalDay } from '#contract/period.ts'
import { policyStatus } from '#contract/policy.ts'
import { settleDaysAgainMs } from '#server/fleet/fact-changes.ts'
import { Problem } from '#server/http/problem.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { findRetainedRow, findRow } from '#server/policies/find-policy.ts'
import { type PublishedRevision, publishedRevisions } from '#server/policies/published-revisions.ts'
import { findRegion, readRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import {
  checkDays,
  type Compliance,
  type DaysQuery,
  fedDaysOf,
  type FoundRecords,
  recordsOfPolicy,
  recordsOfRule,
  todayIn,
} from './find-records.ts'
import { revisionsOf, ruleOfDraft, rulesOfRevisions } from './policy-rules.ts'
import type { Region } from '#contract/regions.ts'

/** The status of several records: one violation is enough; not applicable records do not count beside others. */
const combineStatuses = (statuses: readonly ComplianceStatus[]): ComplianceStatus =>
  statuses.includes('non_compliant')
    ? 'non_compliant'
    : statuses.includes('compliant')
      ? 'compliant'
      : 'not_applicable'

/** Records of one policy by operator. */
export function summarise(records: readonly ComplianceRecord[]): Record<string, OperatorCompliance> {
  const byOperator = new Map<string, Map<LocalDay, ComplianceRecord[]>>()
  for (const record of records) {
    const days = byOperator.get(record.operator) ?? new Map<LocalDay, ComplianceRecord[]>()
    days.set(record.date, [...(days.get(record.date) ?? []), record])
    byOperator.set(record.operator, days)
  }
  return Object.fromEntries(
    [...byOperator].map(([operator, byDay]): [string, OperatorCompliance] => {
      const days = [...byDay].map(([date, of]) => {
        const broken = of.filter(({ status }) => status === 'non_compliant')
        return {
          date,
          status: combineStatuses(of.map(({ status }) => status)),
          violations: broken.reduce((sum, { violations }) => sum + violations, 0),
          uncertain: of.reduce((sum, { uncertain }) => sum + uncertain, 0),
        }
      })
      const measure = [...byDay.values()][0]?.[0]?.measure ?? 'vehicles'
      const count = (status: ComplianceStatus): number => days.filter((day) => day.status === status).length
      return [
        operator,
        {
          status: combineStatuses(days.map(({ status }) => status)),
          daysCount: count('non_compliant'),
          violationCount: days.reduce((sum, { violations }) => sum + violations, 0),
          violationType: measure,
          countType: measureNames[measure].counts,
          uncertainCount: days.reduce((sum, { uncertain }) => sum + uncertain, 0),
          compliantDays: count('compliant'),
          notApplicableDays: count('not_applicable'),
          days: days.map(({ date, status, violations }) => ({ date, status, violations })),
        },
      ]
    }),
  )
}

/**
 * So old may figures in a summary be of which only facts changed, ms: a vehicle that is seen again after days changes all of them, and some
 * vehicle is seen again in most minutes. They are measured again in the background before that.
 */
const maxAgeMs = 2 * settleDaysAgainMs
/** Days before today that are measured in the background: two weeks, as Home compares them. */
const refreshedDays = 14

const unmeasured = (): Problem =>
  new Problem('validation_error', 'policy_type: Compliance is not measured for this type of policy.')

/** The records of each policy of a region in force on some days, with its revisions, one policy after the other. */
export async function* eachPolicyRecords(
  compliance: Compliance,
  viewer: Scope,
  region: Region,
  daysQuery: DaysQuery,
  at: Date,
  signal?: AbortSignal,
): AsyncGenerator<FoundRecords & { revisions: PublishedRevision[] }> {
  const whole = regionScope(region.organizationId, region.regionId)
  const found = await rulesOfRevisions(
    compliance.state,
    whole,
    await publishedRevisions(compliance.state, whole, region.regionId, at),
  )
  if (!found.length) return
  const fed = await fedDaysOf(
    compliance,
    region,
    found.map(({ rule }) => rule),
    daysQuery,
    at.getTime(),
  )
  for (const constantId of new Set(found.map(({ revision }) => revision.policy.constant_policy_uuid))) {
    const own = found.filter(({ revision }) => revision.policy.constant_policy_uuid === constantId)
    const { records, asOf } = await recordsOfPolicy(
      compliance,
      viewer,
      region,
      own.map(({ rule }) => rule),
      daysQuery,
      fed,
      at.getTime(),
      signal,
    )
    if (records.some(({ reason_code: code }) => code !== 'not_in_force'))
      yield { revisions: own.map(({ revision }) => revision), records, asOf }
  }
}

/** Compliance with each policy of a region in force on some days, by name. */
export async function summaryOf(
  compliance: Compliance,
  viewer: Scope,
  { params, query }: ParsedRequest<typeof getComplianceSummary>,
  at: Date,
  signal?: AbortSignal,
): Promise<EndpointOutput<typeof getComplianceSummary>> {
  const { startDate: first, endDate: last } = query
  checkDays(first, last)
  const region = await findRegion(compliance.state, viewer, params.region_id)
  const today = todayIn(region, at)
  const daysQuery = { first, last, operators: [], acceptedFrom: at.getTime() - maxAgeMs }
  const data: ComplianceSummary[] = []
  let oldest = at.getTime()
  for await (const { revisions, records, asOf } of eachPolicyRecords(
    compliance,
    viewer,
    region,
    daysQuery,
    at,
    signal,
  )) {
    const latest = revisions.at(-1)
    if (!latest) continue
    oldest = Math.min(oldest, asOf)
    const newest = latest.policy
    data.push({
      policy_uuid: newest.policy_uuid,
      constant_policy_uuid: newest.constant_policy_uuid,
      policyName: newest.policy_name,
      policyType: newest.policy_type,
      status: policyStatus(newest, today),
      is_deleted: latest.isDeleted,
      complianceData: summarise(records),
    })
  }
  return {
    data: data.toSorted((a, b) => a.policyName.localeCompare(b.policyName)),
    start_date: first,
    end_date: last,
    today,
    as_of: new Date(oldest).toISOString(),
  }
}

/** Measures the last days of all policies again, so that summaries find them stored. */
export async function refreshDays(compliance: Compliance, at: Date, signal?: AbortSignal): Promise<void> {
  const rows = await compliance.state
    .as(systemScope)
    .selectFrom('region')
    .selectAll()
    .orderBy('region_id')
    .execute()
  for (const region of rows.map(readRegion)) {
    const scope = regionScope(region.organizationId, region.regionId)
    const today = dayNumber(todayIn(region, at))
    const daysQuery = {
      first: dayFromNumber(today - refreshedDays),
      last: dayFromNumber(today - 1),
      operators: [],
    }
    for await (const { records } of eachPolicyRecords(compliance, scope, region, daysQuery, at, signal)) {
      void records
      if (signal?.aborted) return
    }
  }
}

/** The records of a policy, named by any of its revisions. */
export async function recordsFor(
  compliance: Compliance,
  viewer: Scope,
  { body }: ParsedRequest<typeof getComplianceForPolicy>,
  at: Date,
  signal?: AbortSignal,
): Promise<ComplianceRecord[]> {
  const { policy_uuid: policyId, start_date: first, end_date: last, operators } = body
  checkDays(first, last)
  const { state } = compliance
  const row = await findRetainedRow(state, viewer, policyId)
  const region = await findRegion(state, viewer, row.region_id)
  const whole = regionScope(region.organizationId, region.regionId)
  const rules = (
    await rulesOfRevisions(
      state,
      whole,
      await revisionsOf(state, whole, region.regionId, row.constant_policy_id, at),
    )
  ).map(({ rule }) => rule)
  const daysQuery = { first, last, operators }
  const { records } = await recordsOfPolicy(
    compliance,
    viewer,
    region,
    rules,
    daysQuery,
    await fedDaysOf(compliance, region, rules, daysQuery, at.getTime()),
    at.getTime(),
    signal,
  )
  return records
}

/** What a draft would have found on past days, compared with another revision as if that had been in force on all of them. */
export async function tryDraft(
  compliance: Compliance,
  viewer: Scope,
  { params, body }: ParsedRequest<typeof tryPolicy>,
  at: Date,
  signal?: AbortSignal,
): Promise<EndpointOutput<typeof tryPolicy>> {
  const begun = performance.now()
  const { policy, start_date: first, end_date: last, operators, compare_with: otherId } = body
  checkDays(first, last)
  const { state } = compliance
  const region = await findRegion(state, viewer, params.region_id)
  const rule = await ruleOfDraft(state, viewer, region, policy)
  if (!rule) throw unmeasured()
  const daysQuery = { first, last, operators }
  const other = otherId === null ? null : await findOther(compliance, viewer, region.regionId, otherId, at)
  const fed = await fedDaysOf(compliance, region, other ? [rule, other] : [rule], daysQuery, at.getTime())
  const { records } = await recordsOfRule(
    compliance,
    viewer,
    region,
    rule,
    daysQuery,
    fed,
    at.getTime(),
    signal,
  )
  const compared = other
    ? await recordsOfRule(compliance, viewer, region, other, daysQuery, fed, at.getTime(), signal)
    : null
  return { records, compared: compared?.records ?? null, took_ms: Math.round(performance.now() - begun) }
}

/** The newest published revision of a policy, as if it had been in force on all days. Its results are not stored. */
async function findOther({ state }: Compliance, viewer: Scope, regionId: string, policyId: string, at: Date) {
  const row = await findRow(state, viewer, policyId)
  if (row.region_id !== regionId)
    throw new Problem('not_found', 'compare_with: There is no such policy in this region.')
  const rules = await rulesOfRevisions(
    state,
    viewer,
    await revisionsOf(state, viewer, regionId, row.constant_policy_id, at),
  )
  const rule = rules.at(-1)?.rule
  return rule ? { ...rule, policyId: null, from: -Infinity, until: Infinity } : null
}
