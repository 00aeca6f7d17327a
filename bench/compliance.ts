import { loadavg } from 'node:os'
import { dayFromNumber } from '#contract/period.ts'
import { PolicyFields } from '#contract/policy.ts'
import { policyTypes } from '#contract/policy-types/list.ts'
import { sentPolicy } from '#contract/policy-types/sent-policy.ts'
import { type Compliance, fedDaysOf, recordsOfRule } from '#server/compliance/days/find-records.ts'
import { ruleOfDraft } from '#server/compliance/days/policy-rules.ts'
import { KeptDays } from '#server/health/kept-days.ts'
import { savePolicy } from '#server/policies/save-policy.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, facts, sql } from '#server/stores/sql.ts'
import { copyWeeks, storeWeek } from './compliance-facts.ts'
import { median, timed } from './median.ts'
import type { Bench } from './open-bench.ts'

const dayMs = 86_400_000
const begin = Date.UTC(2026, 0, 5, 8)
const weeks = 5
const month = 30
/** The first of the days asked for: behind the first week, whose facts have neither ways nor accuracy. */
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

/** The facts, with how many rows the engine means to read for each question. */
function watched(store: Facts): { store: Facts; rows: () => number } {
  let rows = 0
  return {
    store: {
      ...store,
      async rows(scope, question, asking) {
        const estimate = await store
          .rows<{ rows: string }>(scope, sql`explain estimate ${question}`, asking)
          .catch(() => [])
        rows += estimate.reduce((sum, each) => sum + Number(each.rows), 0)
        return store.rows(scope, question, asking)
      },
    },
    rows: () => rows,
  }
}

/** The most memory of this process while something works, MB, and the time that it takes of all cores: what tells on a machine that does other work too. */
async function cost(work: () => Promise<unknown>): Promise<{ rss_mb: number; cpu_ms: number }> {
  let most = process.memoryUsage().rss
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 25)
  const before = process.cpuUsage()
  await work().finally(() => clearInterval(timer))
  const { user, system } = process.cpuUsage(before)
  return { rss_mb: Math.round(most / 2 ** 20), cpu_ms: Math.round((user + system) / 1000) }
}

/** Compliance by day in an L city: each measure over 30 days and over 7, as a draft is tried, over 7 days that are kept, as a published policy is looked at, and what ten policies would take over a year. */
export async function benchCompliance(bench: Bench, say: (line: string) => void) {
  const { app, scope, regionId, neighbourhoods } = bench
  say('compliance: a week of an L city')
  const stored_s =
    (await timed(async () => {
      await storeWeek(bench, begin)
      await copyWeeks(bench, begin, weeks, say)
    })) / 1000
  const rows: Record<string, number> = {}
  for (const table of [
    'vehicle_events',
    'vehicle_intervals',
    'parking_events',
    'trips',
    'telemetry',
  ] as const)
    rows[table] = Number(
      (
        await app.facts.rows<{ n: string }>(
          scope,
          sql`select count() as n from ${facts(table)} where region_id = ${bind('String', regionId)}`,
        )
      )[0]?.n,
    )
  say(`compliance: ${JSON.stringify(rows)} stored in ${Math.round(stored_s)} s`)
  const speeds_kept_s = Math.round((await timed(() => app.derivation.idle(['ride_speeds']))) / 1000)
  const region = await findRegion(app.state, scope, regionId)
  const now = begin + (7 * (weeks + 1) + 1) * dayMs
  const open = (store: Facts): Compliance => ({
    state: app.state,
    facts: store,
    membership: app.membership,
    health: new KeptDays(app.state, store),
  })
  const compliance = open(app.facts)
  const ask = async (
    policy: PolicyFields,
    days: number,
    through = compliance,
    policyId: string | null = null,
  ): Promise<number> => {
    const asked = { first: dayFromNumber(first), last: dayFromNumber(first + days - 1), operators: [] }
    const rule = await ruleOfDraft(app.state, scope, region, policy)
    if (!rule) throw new Error(`Nothing is measured of ${policy.policy_type}`)
    return (
      await recordsOfRule(
        through,
        scope,
        region,
        { ...rule, policyId },
        asked,
        await fedDaysOf(through, region, [rule], asked, now),
        now,
      )
    ).length
  }
  const figures = []
  for (const policy of policies(neighbourhoods.shape_layer_uuid)) {
    const ms: number[] = []
    for (let again = 0; again < 3; again++) ms.push(await timed(() => ask(policy, month)))
    const week: number[] = []
    for (let again = 0; again < 5; again++) week.push(await timed(() => ask(policy, 7)))
    const { rss_mb, cpu_ms } = await cost(() => ask(policy, month))
    const week_cpu_ms = (await cost(() => ask(policy, 7))).cpu_ms
    // Published, its days are kept: the first look measures them, later ones read them.
    const { policy_uuid: policyId } = await savePolicy(
      { state: app.state, facts: app.facts },
      { scope, email: 'bench@publicway.example' },
      { ...policy, region_id: regionId },
      new Date(now),
    )
    await ask(policy, 7, compliance, policyId)
    const kept: number[] = []
    for (let again = 0; again < 5; again++) kept.push(await timed(() => ask(policy, 7, compliance, policyId)))
    const { store, rows: read } = watched(app.facts)
    const records = await ask(policy, month, open(store))
    figures.push({
      policy: policy.policy_name,
      records,
      first_ms: median(ms.slice(0, 1)),
      days_30_ms: median(ms),
      days_30_cpu_ms: cpu_ms,
      days_7_ms: median(week),
      days_7_cpu_ms: week_cpu_ms,
      days_7_kept_ms: median(kept),
      rows_read: read(),
      rss_mb,
      load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    })
    say(`compliance: ${JSON.stringify(figures.at(-1))}`)
  }
  const yearOfAll = (figures.reduce((sum, each) => sum + each.days_30_ms, 0) * (365 / month)) / 1000
  return {
    rows,
    stored_s: Math.round(stored_s),
    speeds_kept_s,
    figures,
    ten_policies_year_s: Math.round((yearOfAll * 10) / figures.length),
  }
}
