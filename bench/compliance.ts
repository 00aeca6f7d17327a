import { dayFromNumber } from '#contract/period.ts'
import { PolicyFields } from '#contract/policy.ts'
import { policyTypes } from '#contract/policy-types/list.ts'
import { sentPolicy } from '#contract/policy-types/sent-policy.ts'
import { type Compliance, feedCoverageFor, findRuleRecords } from '#server/compliance/days/find-records.ts'
import { makeDraftRule } from '#server/compliance/days/policy-rules.ts'
import { DayCounts } from '#server/health/day-counts.ts'
import { savePolicy } from '#server/policies/save-policy.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { copyWeeks, storeWeek } from './compliance-facts.ts'
import type { Bench } from './open-bench.ts'
import { median, type Report, timed, timedRuns } from './table.ts'

const dayMs = 86_400_000
const begin = Date.UTC(2026, 0, 5, 8)
const weeks = 5
const month = 30
/** First day of the questions. The week before has neither routes nor accuracy. */
const first = begin / dayMs + 7

/** The fields of a policy of each type that is measured, over all neighbourhoods, with limits that some days break. */
const policies = (layerId: string): PolicyFields[] =>
  policyTypes
    .filter(({ isFee }) => !isFee)
    .flatMap(({ name, place, units }) => {
      const fields = {
        policy_type: name,
        policy_name: name,
        ...(place === 'region' ? {} : { shape_layer_uuid: layerId }),
        minimum: 2,
        maximum: name === 'slow_ride' ? 15 : 24,
        unit: units.length ? (name === 'slow_ride' ? 'mph' : 'hours') : null,
      }
      if (name === 'vehicle_cap')
        return (['max', 'sae_max', 'avg', 'daytime_avg'] as const).map((method) => ({
          ...fields,
          policy_name: `${name}, ${method}`,
          fee_properties: { vehicle_count_method: method },
        }))
      if (name === 'distribution')
        return (['vehicles_per_operator_per_shape', 'percent_vehicles_per_operator_per_shape'] as const).map(
          (allocation) => ({ ...fields, policy_name: `${name}, ${allocation}`, allocation }),
        )
      return [
        name === 'no_parking' || name === 'no_ride'
          ? { ...fields, start_time: '22:00:00', end_time: '05:00:00' }
          : fields,
      ]
    })
    .map((fields) => sentPolicy(PolicyFields.parse(fields)))

/** CPU seconds of all threads while something works: comparable on a machine that does other work too. */
async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * Compliance by day in an L city: each measure over 30 and over 7 days, as a draft is tried, and over 7 cached
 * days of a published policy.
 */
export async function benchCompliance(bench: Bench, report: Report): Promise<void> {
  const { app, scope, regionId, neighborhoods } = bench
  report.say('compliance: storing six weeks of an L city')
  const storeMs = await timed(async () => {
    await storeWeek(bench, begin)
    await copyWeeks(bench, begin, weeks, report)
  })
  report.add('compliance: six weeks of an L city stored', 's', [storeMs / 1000])
  report.add('compliance: speeds of their trips cached', 's', [
    (await timed(() => app.derivation.idle(['ride_speeds']))) / 1000,
  ])
  const region = await findRegion(app.state, scope, regionId)
  const now = begin + (7 * (weeks + 1) + 1) * dayMs
  const compliance: Compliance = {
    state: app.state,
    facts: app.facts,
    membership: app.membership,
    health: new DayCounts(app.state, app.facts),
  }
  const ask = async (policy: PolicyFields, days: number, policyId: string | null = null): Promise<void> => {
    const period = { first: dayFromNumber(first), last: dayFromNumber(first + days - 1), operators: [] }
    const rule = await makeDraftRule(app.state, scope, region, policy)
    if (!rule) throw new Error(`Nothing is measured of ${policy.policy_type}`)
    const coverage = await feedCoverageFor(compliance, region, [rule], period, now)
    const request = { viewer: scope, region, daysQuery: period, coverage, now }
    await findRuleRecords(compliance, { ...rule, policyId }, request)
  }
  let monthsMs = 0
  const measured = policies(neighborhoods.shape_layer_uuid)
  for (const policy of measured) {
    const name = `compliance: ${policy.policy_name}`
    const months = await timedRuns(3, () => ask(policy, month))
    monthsMs += median(months)
    report.add(`${name}, 30 days`, 'ms', months)
    report.add(`${name}, 30 days, CPU time`, 'ms', [await cpuMs(() => ask(policy, month))])
    report.add(`${name}, 7 days`, 'ms', await timedRuns(5, () => ask(policy, 7)))
    const { policy_uuid: policyId } = await savePolicy(
      { state: app.state, facts: app.facts },
      { scope, email: 'bench@publicway.example' },
      { ...policy, region_id: regionId },
      new Date(now),
    )
    await ask(policy, 7, policyId)
    report.add(`${name}, 7 cached days`, 'ms', await timedRuns(5, () => ask(policy, 7, policyId)))
  }
  const yearS = (10 * (monthsMs / measured.length) * (365 / month)) / 1000
  report.add('compliance: ten policies over a year, extrapolated', 's', [yearS])
}
