import { type ComplianceRecord, maxComplianceDays, maxComplianceRecords } from '#contract/compliance.ts'
import { appendTo, groupBy } from '#contract/group-by.ts'
import { dayNumber, type LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import type { HealthRegion } from '#server/health/health-region.ts'
import type { DayCounts } from '#server/health/day-counts.ts'
import { Problem } from '#server/http/problem.ts'
import { regionScope } from '#server/identity/scope.ts'
import { findFirstOpenDay, findRemovedBefore } from '#server/regions/fact-limits.ts'
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

/** Checks the days of a request. @throws Problem if they are reversed or too many. */
export function checkDays(first: LocalDay, last: LocalDay): void {
  if (last < first) throw new Problem('validation_error', 'end_date: It is before start_date.')
  if (dayNumber(last) - dayNumber(first) >= maxComplianceDays)
    throw new Problem('validation_error', `end_date: At most ${maxComplianceDays} days at once.`)
}

/** Returns operators with records: named ones, or those with data; only requested, visible ones. */
export function listOperatorsWithRecords(
  { policy, measure }: DayRule,
  coverage: FeedCoverage,
  requestedOperators: readonly string[],
  viewer: Scope,
): string[] {
  const operatorsWithData = needsTripsOnly({ measure }) ? coverage.operatorsWithTrips : coverage.operators
  const operators = policy.operators.length ? policy.operators.toSorted() : operatorsWithData
  return operators.filter((slug) => {
    const isRequested = !requestedOperators.length || requestedOperators.includes(slug)
    return isRequested && (viewer.operators?.includes(slug) ?? true)
  })
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
 * published revision are stored. Days that have not begun or on which the rule is not in force are not
 * measured. `removedDays` are those with facts that were removed before they were measured; `asOf` is the
 * time (ms) at which the oldest of the days was measured.
 */
async function measureOrReadDays(
  compliance: Compliance,
  rule: DayRule,
  windows: readonly DayWindow[],
  { region, daysQuery: { acceptedFrom }, now, signal }: RecordsRequest,
): Promise<{ days: MeasuredDay[]; removedDays: ReadonlySet<LocalDay>; asOf: number }> {
  const scope = regionScope(region.organizationId, region.regionId)
  const firstRetainedDay = findFirstOpenDay(
    await findRemovedBefore(compliance.state, scope, region.regionId),
    ['trips', 'events', 'telemetry'],
  )
  const versions =
    rule.policyId === null
      ? null
      : await readFactVersions(compliance.state, scope, { regionId: region.regionId, rule, windows, region })
  const storedDays =
    rule.policyId !== null && versions
      ? await findStoredDays(compliance.state.as(scope), rule.policyId, versions, acceptedFrom)
      : new Map<LocalDay, StoredDay>()
  const removedDays = new Set(
    windows.flatMap(({ day }) =>
      firstRetainedDay !== null && day < firstRetainedDay && !storedDays.has(day) ? [day] : [],
    ),
  )
  const days: MeasuredDay[] = []
  let asOf = now
  for (let start = 0; start < windows.length; start += daysPerQuery) {
    const windowsOfQuery = windows.slice(start, start + daysPerQuery)
    const isMissing = windowsOfQuery.map(
      ({ day, emptyReason }) => emptyReason === null && !storedDays.has(day) && !removedDays.has(day),
    )
    // The days of one query are contiguous, so stored days between missing ones are measured again.
    const firstMissing = isMissing.indexOf(true)
    const missingWindows =
      firstMissing === -1 ? [] : windowsOfQuery.slice(firstMissing, isMissing.lastIndexOf(true) + 1)
    const measuredDays = missingWindows.length
      ? await measureDays(compliance, {
          scope,
          region,
          rule,
          windows: missingWindows,
          operators: [],
          now,
          ...(signal ? { signal } : {}),
        })
      : []
    if (rule.policyId !== null && versions && measuredDays.length)
      await storeDays(compliance.state.as(scope), {
        regionId: region.regionId,
        policyId: rule.policyId,
        windows: missingWindows,
        measured: measuredDays,
        versions,
        now,
      })
    for (const [index, { day }] of windowsOfQuery.entries()) {
      const measuredDay = measuredDays[index - firstMissing]
      const storedDay = measuredDay ? undefined : storedDays.get(day)
      if (storedDay && !storedDay.isCurrent) asOf = Math.min(asOf, storedDay.measuredAt)
      days.push(measuredDay ?? storedDay?.measured ?? { day, figures: [], present: null })
    }
  }
  return { days, removedDays, asOf }
}

/** Compliance records, and the time (ms) at which the oldest of their figures was measured. */
export interface FoundRecords {
  records: ComplianceRecord[]
  asOf: number
}

/** Finds the records of one rule. @throws Problem if there would be too many. */
export async function findRuleRecords(
  compliance: Compliance,
  rule: DayRule,
  request: RecordsRequest,
): Promise<FoundRecords> {
  const { viewer, region, daysQuery, coverage, now } = request
  const windows = makeDayWindows(rule, daysQuery.first, daysQuery.last, region.timezone)
  const operators = listOperatorsWithRecords(rule, coverage, daysQuery.operators, viewer)
  const recordsPerDay = operators.length * (rule.places === 'each' ? rule.shapes.length : 1)
  if (windows.length * recordsPerDay > maxComplianceRecords)
    throw new Problem(
      'validation_error',
      `end_date: More than ${maxComplianceRecords} records. Choose fewer days or operators.`,
    )
  const { days, removedDays, asOf } = await measureOrReadDays(compliance, rule, windows, request)
  const records = assignComplianceStatus(
    { rule, regionName: region.text, coverage, operators, countsUncertain: region.countsUncertain, now },
    windows.map((window) =>
      window.emptyReason === null && removedDays.has(window.day)
        ? { ...window, emptyReason: 'no_feed' }
        : window,
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
  const recordsByDay = new Map<LocalDay, ComplianceRecord[][]>()
  for (const rule of rules) {
    const ruleRecords = await findRuleRecords(compliance, rule, request)
    asOf = Math.min(asOf, ruleRecords.asOf)
    for (const [day, records] of groupBy(ruleRecords.records, ({ date }) => date))
      appendTo(recordsByDay, day, records)
  }
  const records = [...recordsByDay]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, revisions]) => {
      // A day without any revision in force retains the records of the last one.
      const revisionsInForce = revisions.filter((records) => !areOutOfForce(records))
      return revisionsInForce.length ? revisionsInForce.flat() : (revisions.at(-1) ?? [])
    })
  return { records, asOf }
}
