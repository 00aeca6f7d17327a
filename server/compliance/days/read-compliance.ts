import type * as contract from '#contract/compliance.ts'
import {
  type ComplianceRecord,
  type ComplianceSummary,
  type ComplianceStatus,
  measureNames,
  type OperatorCompliance,
} from '#contract/compliance.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { appendTo } from '#contract/group-by.ts'
import { dayFromNumber, dayNumber, type LocalDay } from '#contract/period.ts'
import { getPolicyStatus } from '#contract/policy.ts'
import { settleDaysAgainMs } from '#server/fleet/fact-changes.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call, ScopedCall } from '#server/http/route.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { findRetainedRow, findRow } from '#server/policies/find-policy.ts'
import { type PublishedRevision, findPublishedRevisions } from '#server/policies/published-revisions.ts'
import { getToday } from '#server/policies/today-in.ts'
import { findRegion, readRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import {
  checkDays,
  type Compliance,
  type DaysQuery,
  readCoverage,
  type FoundRecords,
  findPolicyRecords,
  findRuleRecords,
} from './find-records.ts'
import { findPolicyRevisions, makeDraftRule, makeRevisionRules } from './policy-rules.ts'
import type { Region } from '#contract/regions.ts'

/** Returns the common status of records: not compliant if any is, otherwise compliant if any is. */
function combineStatuses(statuses: readonly ComplianceStatus[]): ComplianceStatus {
  if (statuses.includes('non_compliant')) return 'non_compliant'
  return statuses.includes('compliant') ? 'compliant' : 'not_applicable'
}

/** Summarizes the records of a policy by operator. */
export function summarizeRecords(records: readonly ComplianceRecord[]): Record<string, OperatorCompliance> {
  const recordsByOperator = new Map<string, Map<LocalDay, ComplianceRecord[]>>()
  for (const record of records) {
    const days = recordsByOperator.get(record.operator) ?? new Map<LocalDay, ComplianceRecord[]>()
    appendTo(days, record.date, record)
    recordsByOperator.set(record.operator, days)
  }
  return Object.fromEntries(
    [...recordsByOperator].map(([operator, recordsByDay]): [string, OperatorCompliance] => {
      const days = [...recordsByDay].map(([date, dayRecords]) => {
        const violatedRecords = dayRecords.filter(({ status }) => status === 'non_compliant')
        return {
          date,
          status: combineStatuses(dayRecords.map(({ status }) => status)),
          violations: violatedRecords.reduce((sum, { violations }) => sum + violations, 0),
          uncertain: dayRecords.reduce((sum, { uncertain }) => sum + uncertain, 0),
        }
      })
      const measure = [...recordsByDay.values()][0]?.[0]?.measure ?? 'vehicles'
      const countDays = (status: ComplianceStatus): number =>
        days.filter((day) => day.status === status).length
      return [
        operator,
        {
          status: combineStatuses(days.map(({ status }) => status)),
          daysCount: countDays('non_compliant'),
          violationCount: days.reduce((sum, { violations }) => sum + violations, 0),
          violationType: measure,
          countType: measureNames[measure].counts,
          uncertainCount: days.reduce((sum, { uncertain }) => sum + uncertain, 0),
          compliantDays: countDays('compliant'),
          notApplicableDays: countDays('not_applicable'),
          days: days.map(({ date, status, violations }) => ({ date, status, violations })),
        },
      ]
    }),
  )
}

/**
 * Maximum age of figures in a summary if nothing but facts changed since, ms. Measuring again on every change
 * would be too much: a vehicle that is seen again after days changes the facts of all these days, which
 * happens in most minutes. A background job measures them again before they reach this age.
 */
const maxAgeMs = 2 * settleDaysAgainMs
/** Days before today that are measured in the background: the two weeks that the Home page compares. */
const refreshedDays = 14

const createNotMeasuredProblem = (): Problem =>
  new Problem('validation_error', 'policy_type: Compliance is not measured for this type of policy.')

interface RegionRecordsRequest {
  viewer: Scope
  region: Region
  daysQuery: DaysQuery
  at: Date
  signal?: AbortSignal | undefined
}

/** Yields the records and revisions of each policy of a region that was in force on some of the days. */
export async function* readPolicyRecords(
  compliance: Compliance,
  { viewer, region, daysQuery, at, signal }: RegionRecordsRequest,
): AsyncGenerator<FoundRecords & { revisions: PublishedRevision[] }> {
  const fullScope = regionScope(region.organizationId, region.regionId)
  const revisionRules = await makeRevisionRules(
    compliance.state,
    fullScope,
    await findPublishedRevisions(compliance.state, fullScope, region.regionId, at),
  )
  if (!revisionRules.length) return
  const coverage = await readCoverage(compliance, {
    region,
    rules: revisionRules.map(({ rule }) => rule),
    daysQuery,
    now: at.getTime(),
  })
  for (const constantId of new Set(
    revisionRules.map(({ revision }) => revision.policy.constant_policy_uuid),
  )) {
    const policyRules = revisionRules.filter(
      ({ revision }) => revision.policy.constant_policy_uuid === constantId,
    )
    const { records, asOf } = await findPolicyRecords(
      compliance,
      policyRules.map(({ rule }) => rule),
      { viewer, region, daysQuery, coverage, now: at.getTime(), signal },
    )
    if (records.some(({ reason_code: code }) => code !== 'not_in_force'))
      yield { revisions: policyRules.map(({ revision }) => revision), records, asOf }
  }
}

/** Summarizes compliance with each policy of a region that was in force on some of the days, by name. */
export async function getComplianceSummary(
  compliance: Compliance,
  { viewer: { scope: viewer }, params, query, at, signal }: Call<typeof contract.getComplianceSummary>,
): Promise<EndpointOutput<typeof contract.getComplianceSummary>> {
  const { startDate: firstDay, endDate: lastDay } = query
  checkDays(firstDay, lastDay)
  const region = await findRegion(compliance.state, viewer, params.region_id)
  const today = getToday(region, at)
  const acceptedFrom = at.getTime() - maxAgeMs
  const daysQuery = { first: firstDay, last: lastDay, operators: [], acceptedFrom }
  const data: ComplianceSummary[] = []
  let oldestAsOf = at.getTime()
  for await (const { revisions, records, asOf } of readPolicyRecords(compliance, {
    viewer,
    region,
    daysQuery,
    at,
    signal,
  })) {
    const newestRevision = revisions.at(-1)
    if (!newestRevision) continue
    oldestAsOf = Math.min(oldestAsOf, asOf)
    const { policy } = newestRevision
    data.push({
      policy_uuid: policy.policy_uuid,
      constant_policy_uuid: policy.constant_policy_uuid,
      policyName: policy.policy_name,
      policyType: policy.policy_type,
      status: getPolicyStatus(policy, today),
      is_deleted: newestRevision.isDeleted,
      complianceData: summarizeRecords(records),
    })
  }
  return {
    data: data.toSorted((a, b) => a.policyName.localeCompare(b.policyName)),
    start_date: firstDay,
    end_date: lastDay,
    today,
    as_of: new Date(oldestAsOf).toISOString(),
  }
}

/** Measures the last days of all policies in advance, so that summaries find them stored. */
export async function refreshDays(compliance: Compliance, at: Date, signal?: AbortSignal): Promise<void> {
  const rows = await compliance.state
    .as(systemScope)
    .selectFrom('region')
    .selectAll()
    .orderBy('region_id')
    .execute()
  for (const region of rows.map(readRegion)) {
    const scope = regionScope(region.organizationId, region.regionId)
    const today = dayNumber(getToday(region, at))
    const daysQuery = {
      first: dayFromNumber(today - refreshedDays),
      last: dayFromNumber(today - 1),
      operators: [],
    }
    for await (const { records } of readPolicyRecords(compliance, {
      viewer: scope,
      region,
      daysQuery,
      at,
      signal,
    })) {
      void records
      if (signal?.aborted) return
    }
  }
}

/** Finds the records of a policy, given by the id of any of its revisions. */
export async function findRecordsByPolicyId(
  compliance: Compliance,
  {
    viewer: { scope: viewer },
    body,
    at,
    signal,
  }: ScopedCall<typeof contract.getComplianceForPolicy, 'body' | 'at'> & { signal?: AbortSignal },
): Promise<ComplianceRecord[]> {
  const { policy_uuid: policyId, start_date: first, end_date: last, operators } = body
  checkDays(first, last)
  const { state } = compliance
  const row = await findRetainedRow(state, viewer, policyId)
  const region = await findRegion(state, viewer, row.region_id)
  const fullScope = regionScope(region.organizationId, region.regionId)
  const rules = (
    await makeRevisionRules(
      state,
      fullScope,
      await findPolicyRevisions(state, fullScope, {
        regionId: region.regionId,
        constantId: row.constant_policy_id,
        at,
      }),
    )
  ).map(({ rule }) => rule)
  const daysQuery = { first, last, operators }
  const coverage = await readCoverage(compliance, { region, rules, daysQuery, now: at.getTime() })
  const request = { viewer, region, daysQuery, coverage, now: at.getTime(), signal }
  const { records } = await findPolicyRecords(compliance, rules, request)
  return records
}

/** Evaluates a draft on past days, compared with another revision, as if both had been in force. */
export async function tryPolicy(
  compliance: Compliance,
  { viewer: { scope: viewer }, params, body, at, signal }: Call<typeof contract.tryPolicy>,
): Promise<EndpointOutput<typeof contract.tryPolicy>> {
  const startedMs = performance.now()
  const { policy, start_date: first, end_date: last, operators, compare_with: comparedId } = body
  checkDays(first, last)
  const { state } = compliance
  const region = await findRegion(state, viewer, params.region_id)
  const rule = await makeDraftRule(state, viewer, region, policy)
  if (!rule) throw createNotMeasuredProblem()
  const daysQuery = { first, last, operators }
  const comparedRule =
    comparedId === null
      ? null
      : await findComparedRule(compliance, { viewer, regionId: region.regionId, policyId: comparedId, at })
  const coverage = await readCoverage(compliance, {
    region,
    rules: comparedRule ? [rule, comparedRule] : [rule],
    daysQuery,
    now: at.getTime(),
  })
  const request = { viewer, region, daysQuery, coverage, now: at.getTime(), signal }
  const { records } = await findRuleRecords(compliance, rule, request)
  const compared = comparedRule ? await findRuleRecords(compliance, comparedRule, request) : null
  return { records, compared: compared?.records ?? null, took_ms: Math.round(performance.now() - startedMs) }
}

/** Finds a policy's newest published revision, as if in force on all days. Its results are not stored. */
async function findComparedRule(
  { state }: Compliance,
  { viewer, regionId, policyId, at }: { viewer: Scope; regionId: string; policyId: string; at: Date },
) {
  const row = await findRow(state, viewer, policyId)
  if (row.region_id !== regionId)
    throw new Problem('not_found', 'compare_with: There is no such policy in this region.')
  const rules = await makeRevisionRules(
    state,
    viewer,
    await findPolicyRevisions(state, viewer, { regionId, constantId: row.constant_policy_id, at }),
  )
  const rule = rules.at(-1)?.rule
  return rule ? { ...rule, policyId: null, from: -Infinity, until: Infinity } : null
}
