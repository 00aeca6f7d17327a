import { dayFromNumber, dayMs } from '#contract/period.ts'
import { PolicyFields } from '#contract/policy.ts'
import { policyTypes } from '#contract/policy-types/list.ts'
import { sentPolicy } from '#contract/policy-types/sent-policy.ts'
import { type Compliance, readCoverage, findRuleRecords } from '#server/compliance/days/find-records.ts'
import { makeDraftRule } from '#server/compliance/days/policy-rules.ts'
import { DayCounts } from '#server/health/day-counts.ts'
import { savePolicy } from '#server/policies/save-policy.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { copyWeeks, storeWeek } from './compliance-facts.ts'
import type { Bench } from './open-bench.ts'
import { median, type Report, measureMs, measureRuns } from './table.ts'

const beginMs = Date.UTC(2026, 0, 5, 8)
const weeks = 5
const monthDays = 30
/** First evaluated day. The week before has neither routes nor accuracy. */
const firstDay = beginMs / dayMs + 7

/** Makes a policy of each measured type over all neighborhoods, with limits that some days exceed. */
const makePolicies = (layerId: string): PolicyFields[] =>
  policyTypes
    .filter(({ isFee }) => !isFee)
    .flatMap(({ name, place, units }) => {
      const fields = {
        policy_type: name,
        policy_name: name,
        ...(place === 'region' ? {} : { shape_layer_uuid: layerId }),
        minimum: 2,
        maximum: name === 'slow_ride' ? 15 : 24,
        unit: units ? (name === 'slow_ride' ? 'mph' : 'hours') : null,
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

/** Measures the CPU time (ms) of all threads during some work, which other work does not change. */
async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Measures compliance by day in a large city, by policy: drafts over 30 and 7 days, and 7 cached days. */
export async function benchCompliance(bench: Bench, report: Report): Promise<void> {
  const { app, scope, regionId, neighborhoods } = bench
  report.log('compliance: storing six weeks of an L city')
  const storeMs = await measureMs(async () => {
    await storeWeek(bench, beginMs)
    await copyWeeks(bench, beginMs, weeks, report)
  })
  report.add('compliance: six weeks of an L city stored', 's', [storeMs / 1000])
  report.add('compliance: speeds of their trips cached', 's', [
    (await measureMs(() => app.derivation.idle(['ride_speeds']))) / 1000,
  ])
  const region = await findRegion(app.state, scope, regionId)
  const now = beginMs + (7 * (weeks + 1) + 1) * dayMs
  const compliance: Compliance = {
    state: app.state,
    facts: app.facts,
    membership: app.membership,
    health: new DayCounts(app.state, app.facts),
  }
  const evaluatePolicy = async (
    policy: PolicyFields,
    days: number,
    policyId: string | null = null,
  ): Promise<void> => {
    const period = { first: dayFromNumber(firstDay), last: dayFromNumber(firstDay + days - 1), operators: [] }
    const rule = await makeDraftRule(app.state, scope, region, policy)
    if (!rule) throw new Error(`Policies of type ${policy.policy_type} have no measured compliance`)
    const coverage = await readCoverage(compliance, { region, rules: [rule], daysQuery: period, now })
    const request = { viewer: scope, region, daysQuery: period, coverage, now }
    await findRuleRecords(compliance, { ...rule, policyId }, request)
  }
  let monthsMs = 0
  const policies = makePolicies(neighborhoods.shape_layer_uuid)
  for (const policy of policies) {
    const name = `compliance: ${policy.policy_name}`
    const monthRuns = await measureRuns(3, () => evaluatePolicy(policy, monthDays))
    monthsMs += median(monthRuns)
    report.add(`${name}, 30 days`, 'ms', monthRuns)
    report.add(`${name}, 30 days, CPU time`, 'ms', [await cpuMs(() => evaluatePolicy(policy, monthDays))])
    report.add(`${name}, 7 days`, 'ms', await measureRuns(5, () => evaluatePolicy(policy, 7)))
    const { policy_uuid: policyId } = await savePolicy(
      { state: app.state, facts: app.facts },
      {
        viewer: { scope, email: 'bench@publicway.example' },
        body: { ...policy, region_id: regionId },
        at: new Date(now),
      },
    )
    await evaluatePolicy(policy, 7, policyId)
    report.add(
      `${name}, 7 cached days`,
      'ms',
      await measureRuns(5, () => evaluatePolicy(policy, 7, policyId)),
    )
  }
  const yearS = (10 * (monthsMs / policies.length) * (365 / monthDays)) / 1000
  report.add('compliance: ten policies over a year, extrapolated', 's', [yearS])
}
