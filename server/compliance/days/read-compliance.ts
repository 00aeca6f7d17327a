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
import type { EndpointOutput } from '#contract/endpoint.ts'
import { appendTo } from '#contract/group-by.ts'
import { dayFromNumber, dayNumber, type LocalDay } from '#contract/period.ts'
import { policyStatus } from '#contract/policy.ts'
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

/** Returns the common status of records: violated if any is, otherwise compliant if any is. */
const combineStatuses = (statuses: readonly ComplianceStatus[]): ComplianceStatus =>
  statuses.includes('non_compliant')
    ? 'non_compliant'
    : statuses.includes('compliant')
      ? 'compliant'
      : 'not_applicable'

export function summarizeRecords(records: readonly ComplianceRecord[]): Record<string, OperatorCompliance> {
  const byOperator = new Map<string, Map<LocalDay, ComplianceRecord[]>>()
  for (const record of records) {
    const days = byOperator.get(record.operator) ?? new Map<LocalDay, ComplianceRecord[]>()
    appendTo(days, record.date, record)
    byOperator.set(record.operator, days)
  }
  return Object.fromEntries(
    [...byOperator].map(([operator, byDay]): [string, OperatorCompliance] => {
      const days = [...byDay].map(([date, dayRecords]) => {
        const violated = dayRecords.filter(({ status }) => status === 'non_compliant')
        return {
          date,
          status: combineStatuses(dayRecords.map(({ status }) => status)),
          violations: violated.reduce((sum, { violations }) => sum + violations, 0),
          uncertain: dayRecords.reduce((sum, { uncertain }) => sum + uncertain, 0),
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
 * Maximum age of figures in a summary if nothing but facts changed since, ms. A vehicle that is seen again
 * after days changes the facts of all these days, which happens in most minutes, so measuring again on every
 * change would be too much. A background job measures them again before they reach this age.
 */
const maxAgeMs = 2 * settleDaysAgainMs
/** Days before today that are measured in the background: the two weeks that the Home page compares. */
const refreshedDays = 14

const createNotMeasuredProblem = (): Problem =>
  new Problem('validation_error', 'policy_type: Compliance is not measured for this type of policy.')

/** A request for the records of all policies of a region. */
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
export async function summarizeCompliance(
  compliance: Compliance,
  { viewer: { scope: viewer }, params, query, at, signal }: Call<typeof getComplianceSummary>,
): Promise<EndpointOutput<typeof getComplianceSummary>> {
  const { startDate: first, endDate: last } = query
  checkDays(first, last)
  const region = await findRegion(compliance.state, viewer, params.region_id)
  const today = getToday(region, at)
  const daysQuery = { first, last, operators: [], acceptedFrom: at.getTime() - maxAgeMs }
  const data: ComplianceSummary[] = []
  let oldest = at.getTime()
  for await (const { revisions, records, asOf } of readPolicyRecords(compliance, {
    viewer,
    region,
    daysQuery,
    at,
    signal,
  })) {
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
      complianceData: summarizeRecords(records),
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
  }: ScopedCall<typeof getComplianceForPolicy, 'body' | 'at'> & { signal?: AbortSignal },
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

/**
 * Evaluates a draft on past days and compares it with another revision, as if both had been in force on all
 * of these days.
 */
export async function tryDraft(
  compliance: Compliance,
  { viewer: { scope: viewer }, params, body, at, signal }: Call<typeof tryPolicy>,
): Promise<EndpointOutput<typeof tryPolicy>> {
  const startedMs = performance.now()
  const { policy, start_date: first, end_date: last, operators, compare_with: otherId } = body
  checkDays(first, last)
  const { state } = compliance
  const region = await findRegion(state, viewer, params.region_id)
  const rule = await makeDraftRule(state, viewer, region, policy)
  if (!rule) throw createNotMeasuredProblem()
  const daysQuery = { first, last, operators }
  const comparedRule =
    otherId === null
      ? null
      : await findComparedRule(compliance, { viewer, regionId: region.regionId, policyId: otherId, at })
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
