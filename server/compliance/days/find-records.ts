import { type ComplianceRecord, maxComplianceDays, maxComplianceRecords } from '#contract/compliance.ts'
import { appendTo, groupBy } from '#contract/group-by.ts'
import { dayNumber, type LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import type { HealthRegion } from '#server/health/health-region.ts'
import type { DayCounts } from '#server/health/day-counts.ts'
import { Problem } from '#server/http/problem.ts'
import { regionScope } from '#server/identity/scope.ts'
import { openFrom, findRemovedBefore } from '#server/regions/fact-limits.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { needsTripsOnly, type DayRule } from './day-rule.ts'
import { type DayWindow, makeDayWindows } from './day-windows.ts'
import { type FeedCoverage, readFeedCoverage } from './feed-coverage.ts'
import { assignComplianceStatus } from './assign-compliance-status.ts'
import { readFactVersions, findStoredDays, type StoredDay, storeDays } from './stored-days.ts'
import { measureDays, type MeasuredDay } from './measure-days.ts'

export interface Compliance {
  state: State
  facts: Facts
  membership: LayerMembership
  health: DayCounts
}

/** The local days (both included) and operators of a request. */
export interface DaysQuery {
  first: LocalDay
  last: LocalDay
  /** All operators if empty. */
  operators: readonly string[]
  /** Stored days measured at or after this time (ms) are used even if facts changed since; default: none. */
  acceptedFrom?: number
}

/** Which records are requested: visible to which viewer, of which region and days. */
export interface RecordsRequest {
  viewer: Scope
  region: Region
  daysQuery: DaysQuery
  coverage: FeedCoverage
  /** Milliseconds since 1970. */
  now: number
  signal?: AbortSignal | undefined
}

/** Number of days measured by one query, which bounds the memory it needs. */
const daysPerQuery = 31

/** Throws a Problem if the days are reversed or too many. */
export function checkDays(first: LocalDay, last: LocalDay): void {
  if (last < first) throw new Problem('validation_error', 'end_date: It is before start_date.')
  if (dayNumber(last) - dayNumber(first) >= maxComplianceDays)
    throw new Problem('validation_error', `end_date: At most ${maxComplianceDays} days at once.`)
}

/**
 * Returns operators that get records: those that the policy names or, if it names none, those with data;
 * limited to the requested and visible ones.
 */
export function listOperatorsWithRecords(
  { policy, measure }: DayRule,
  coverage: FeedCoverage,
  requested: readonly string[],
  viewer: Scope,
): string[] {
  const withData = needsTripsOnly({ measure }) ? coverage.operatorsWithTrips : coverage.operators
  const operators = policy.operators.length ? policy.operators.toSorted() : withData
  return operators.filter(
    (slug) => (!requested.length || requested.includes(slug)) && (viewer.operators?.includes(slug) ?? true),
  )
}

const toHealthRegion = ({ regionId, organizationId, timezone, lostAfterHours }: Region): HealthRegion => ({
  regionId,
  organizationId,
  timezone,
  lostAfterHours,
  scope: regionScope(organizationId, regionId),
})

/** Reads the feed coverage that records of some rules need. */
export const readCoverage = (
  { health, facts }: Compliance,
  {
    region,
    rules,
    daysQuery: { first, last, acceptedFrom },
    now,
  }: { region: Region; rules: readonly DayRule[]; daysQuery: DaysQuery; now: number },
): Promise<FeedCoverage> =>
  readFeedCoverage({ health, facts }, toHealthRegion(region), {
    first,
    last,
    withTrips: rules.some(needsTripsOnly),
    now,
    recountAfterMs: acceptedFrom === undefined ? undefined : now - acceptedFrom,
  })

/**
 * Measures days of a rule for all operators; the caller limits the result to the viewer. Past days of a
 * published revision are stored. `removed` are days with facts that were removed before they were measured.
 * Days that have not begun or on which the rule is not in force are not measured.
 */
async function measureOrReadDays(
  compliance: Compliance,
  rule: DayRule,
  windows: readonly DayWindow[],
  { region, daysQuery: { acceptedFrom }, now, signal }: RecordsRequest,
): Promise<{ days: MeasuredDay[]; removed: ReadonlySet<LocalDay>; asOf: number }> {
  const scope = regionScope(region.organizationId, region.regionId)
  const openDay = openFrom(await findRemovedBefore(compliance.state, scope, region.regionId), [
    'trips',
    'events',
    'telemetry',
  ])
  const versions =
    rule.policyId === null
      ? null
      : await readFactVersions(compliance.state, scope, { regionId: region.regionId, rule, windows, region })
  const stored =
    rule.policyId !== null && versions
      ? await findStoredDays(compliance.state.as(scope), rule.policyId, versions, acceptedFrom)
      : new Map<LocalDay, StoredDay>()
  const removed = new Set(
    windows.flatMap(({ day }) => (openDay !== null && day < openDay && !stored.has(day) ? [day] : [])),
  )
  const days: MeasuredDay[] = []
  let asOf = now
  for (let start = 0; start < windows.length; start += daysPerQuery) {
    const part = windows.slice(start, start + daysPerQuery)
    // The days of one query are contiguous, so stored days in between are measured again.
    const missing = part.map(
      ({ day, emptyReason }) => emptyReason === null && !stored.has(day) && !removed.has(day),
    )
    const [from, to] = [missing.indexOf(true), missing.lastIndexOf(true)]
    const freshWindows = from === -1 ? [] : part.slice(from, to + 1)
    const fresh = freshWindows.length
      ? await measureDays(compliance, {
          scope,
          region,
          rule,
          windows: freshWindows,
          operators: [],
          now,
          ...(signal ? { signal } : {}),
        })
      : []
    if (rule.policyId !== null && versions && fresh.length)
      await storeDays(compliance.state.as(scope), {
        regionId: region.regionId,
        policyId: rule.policyId,
        windows: freshWindows,
        measured: fresh,
        versions,
        now,
      })
    for (const [index, { day }] of part.entries()) {
      const freshDay = fresh[index - from]
      const storedDay = freshDay ? undefined : stored.get(day)
      if (storedDay && !storedDay.isCurrent) asOf = Math.min(asOf, storedDay.measuredAt)
      days.push(freshDay ?? storedDay?.measured ?? { day, figures: [], present: null })
    }
  }
  return { days, removed, asOf }
}

/** Compliance records, and the time (ms) at which the oldest of their figures was measured. */
export interface FoundRecords {
  records: ComplianceRecord[]
  asOf: number
}

export async function findRuleRecords(
  compliance: Compliance,
  rule: DayRule,
  request: RecordsRequest,
): Promise<FoundRecords> {
  const { viewer, region, daysQuery, coverage, now } = request
  const windows = makeDayWindows(rule, daysQuery.first, daysQuery.last, region.timezone)
  const operators = listOperatorsWithRecords(rule, coverage, daysQuery.operators, viewer)
  if (
    windows.length * operators.length * (rule.places === 'each' ? rule.shapes.length : 1) >
    maxComplianceRecords
  )
    throw new Problem(
      'validation_error',
      `end_date: More than ${maxComplianceRecords} records. Choose fewer days or operators.`,
    )
  const { days, removed, asOf } = await measureOrReadDays(compliance, rule, windows, request)
  const records = assignComplianceStatus(
    { rule, regionName: region.text, coverage, operators, countsUncertain: region.countsUncertain, now },
    windows.map((window) =>
      window.emptyReason === null && removed.has(window.day) ? { ...window, emptyReason: 'no_feed' } : window,
    ),
    days,
  )
  return { records, asOf }
}

/** Whether the records of a revision on a day say that it was not in force. */
const areOutOfForce = (records: readonly ComplianceRecord[]): boolean =>
  records.every(({ reason_code: code }) => code === 'not_in_force')

/**
 * Finds the records of a policy across its revisions, in order of day. If two revisions share a day, each has
 * a record for its part.
 * @param rules The revisions of one policy, oldest first.
 */
export async function findPolicyRecords(
  compliance: Compliance,
  rules: readonly DayRule[],
  request: RecordsRequest,
): Promise<FoundRecords> {
  let asOf = request.now
  const byDay = new Map<LocalDay, ComplianceRecord[][]>()
  for (const rule of rules) {
    const ruleRecords = await findRuleRecords(compliance, rule, request)
    asOf = Math.min(asOf, ruleRecords.asOf)
    for (const [day, records] of groupBy(ruleRecords.records, ({ date }) => date))
      appendTo(byDay, day, records)
  }
  const records = [...byDay]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, revisions]) => {
      // A day without any revision in force retains the records of the last one.
      const inForce = revisions.filter((records) => !areOutOfForce(records))
      return inForce.length ? inForce.flat() : (revisions.at(-1) ?? [])
    })
  return { records, asOf }
}
