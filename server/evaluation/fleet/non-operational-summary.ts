import type { z } from 'zod'
import type { getNonOperationalSummary } from '#contract/fleet-figures.ts'
import { fleetSize } from '#server/mobility/fleet-size/fleet-size.ts'
import type { Facts } from '#server/stores/facts.ts'
import { factConditions } from '../queries/fact-conditions.ts'
import { type NonOperationalCount, nonOperationalCounts } from '../queries/non-operational.ts'
import type { FleetQueryContext } from './fleet-query-context.ts'

type Answer = z.output<(typeof getNonOperationalSummary)['answer']>

/** Non-operational vehicles by operator: on average, as percent of the deployed ones, how often and how long. */
export async function nonOperationalSummary(facts: Facts, fleet: FleetQueryContext): Promise<Answer> {
  const { scope, region, time, filters, now, signal } = fleet
  const question = {
    regionId: region.regionId,
    from: time.from,
    until: Math.min(time.until, now),
    timezone: region.timezone,
    operatingFrom: region.operatingHours.from,
    operatingUntil: region.operatingHours.until,
    lostAfterHours: region.lostAfterHours,
    where: factConditions(filters),
    by: ['operator'] as const,
  }
  const broken = await fleetSize(facts, scope, 'avg', { ...question, states: ['non_operational'] })
  const deployed = await fleetSize(facts, scope, 'avg', question)
  const counts = await facts.rows<NonOperationalCount>(scope, nonOperationalCounts(fleet), { signal })
  const sizeOf = (sizes: readonly { operator?: string; value: number }[], operator: string): number =>
    sizes.find((size) => size.operator === operator)?.value ?? 0
  const operators = [
    ...new Set([
      ...deployed.sizes.map(({ operator = '' }) => operator),
      ...counts.map(({ operator }) => operator),
    ]),
  ].toSorted()
  const items = operators.map((operator) => {
    const [vehicles, all] = [sizeOf(broken.sizes, operator), sizeOf(deployed.sizes, operator)]
    const count = counts.find((each) => each.operator === operator)
    const events = Number(count?.events ?? 0)
    return {
      operator,
      vehicles,
      share: all > 0 ? (100 * vehicles) / all : null,
      events,
      average_minutes: events ? Number(count?.ms) / 60_000 / events : null,
    }
  })
  return { items, method: { name: 'avg', version: broken.methodVersion } }
}
