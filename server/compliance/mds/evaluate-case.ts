import { z } from 'zod'
import { civilClock } from '#contract/civil-clock.ts'
import { MdsGeography, MdsPolicy } from '#contract/mds-policy.ts'
import { Zone } from '#contract/regions.ts'
import { movedMetres } from '#server/mobility/fleet/moved-metres.ts'
import { evaluatePolicy } from '../evaluate-policy.ts'
import { inForce } from '../in-force.ts'
import { standingAt } from '../standing.ts'
import { readFleet, type SetAside } from './fleet-case.ts'
import { mdsAreas } from './mds-areas.ts'
import { readMdsPolicy } from './read-mds-policy.ts'
import { RuleProblem } from './read-mds-rule.ts'

/** A moment of a city in MDS 2.0 form, to be evaluated by itself. */
const Case = z.object({
  id: z.string().min(1),
  clock: z.object({ now: z.number().finite(), timezone: Zone }),
  policies: z.array(MdsPolicy),
  geographies: z.array(MdsGeography),
  vehicles: z.array(z.unknown()),
  events: z.array(z.unknown()),
})

/** metrics.md: lostAfterHours, where no region says otherwise. */
const lostMs = 48 * 3_600_000

type Outcome = { set_aside?: SetAside[] } & (
  | { id: string; total_violations: number; rules: { rule_id: string; measured: number; excess: number; shortfall: number; vehicles: string[] }[] }
  | { id: string; result: 'not evaluated' }
  | { id: string; error: string }
)

const idIn = (raw: unknown, fallback: string): string => (typeof raw === 'object' && raw !== null && 'id' in raw && typeof raw.id === 'string' ? raw.id : fallback)

/**
 * What the policies of a case find at its moment. `not evaluated`: no policy that is in force has a rule that can be broken.
 * @param name Of the file, where the case does not say its own id.
 */
export function evaluateCase(raw: unknown, name: string): Outcome {
  const id = idIn(raw, name)
  const read = Case.safeParse(raw)
  if (!read.success) {
    const [issue] = read.error.issues
    return { id, error: `${issue?.path.join('.') || 'the case'}: ${issue?.message ?? 'is not understood'}` }
  }
  const { clock, policies, geographies, vehicles, events } = read.data
  try {
    const areas = mdsAreas(geographies)
    const holding = inForce(policies.map((policy) => ({ policyId: policy.policy_id, from: policy.start_date, to: policy.end_date ?? Infinity, supersedes: policy.prev_policies ?? [], policy })), clock.now)
    const ready = holding.map(({ policy }) => readMdsPolicy(policy, areas)).filter(({ rules }) => rules.length)
    const { tracks, aside } = readFleet(vehicles, events)
    const said = aside.length ? { set_aside: aside } : {}
    if (!ready.length) return { id, result: 'not evaluated', ...said }
    const moment = { at: clock.now, clock: civilClock(clock.timezone), lostMs, movedMetres }
    const fleet = standingAt(tracks, clock.now)
    const rules = ready.flatMap((policy) => evaluatePolicy(policy, fleet, moment)).map(({ ruleId, ...finding }) => ({ rule_id: ruleId, ...finding }))
    return { id, total_violations: rules.reduce((sum, { excess, shortfall }) => sum + excess + shortfall, 0), rules, ...said }
  } catch (error) {
    if (error instanceof RuleProblem) return { id, error: error.message }
    throw error
  }
}
