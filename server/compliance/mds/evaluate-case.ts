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
import { faultOf } from './fault-of.ts'
import { laterPolicy } from './older-words.ts'
import { onlyOnce } from './only-once.ts'
import { readMdsPolicy } from './read-mds-policy.ts'
import { RuleProblem } from './read-mds-rule.ts'

/** A moment of a city in MDS 2.0 form, to be evaluated by itself. */
const Case = z.object({
  id: z.string().min(1),
  clock: z.object({ now: z.number().min(-8.64e15).max(8.64e15), timezone: Zone }),
  policies: z.array(z.preprocess(laterPolicy, MdsPolicy)),
  geographies: z.array(MdsGeography),
  vehicles: z.array(z.unknown()),
  events: z.array(z.unknown()),
})

/** metrics.md: lostAfterHours, where no region says otherwise. */
const lostMs = 48 * 3_600_000

/** What the schema of MDS 2.0 takes a policy for that does not say its mode. */
const defaultMode = 'micromobility'

type Outcome = { set_aside?: SetAside[] } & (
  | {
      id: string
      total_violations: number
      rules: { rule_id: string; measured: number; excess: number; shortfall: number; vehicles: string[] }[]
    }
  | { id: string; result: 'not evaluated' }
  | { id: string; error: string }
)

const idIn = (raw: unknown, fallback: string): string =>
  typeof raw === 'object' && raw !== null && 'id' in raw && typeof raw.id === 'string' ? raw.id : fallback

/**
 * What the policies of a case find at its moment. `not evaluated`: no policy that is in force has a rule that can be broken.
 * @param name Of the file, where the case does not say its own id.
 */
export function evaluateCase(raw: unknown, name: string): Outcome {
  const id = idIn(raw, name)
  const read = Case.safeParse(raw)
  if (!read.success) return { id, error: faultOf(read.error, raw) }
  const { clock, policies, geographies, vehicles, events } = read.data
  try {
    const areas = mdsAreas(geographies)
    const holding = onlyOnce(
      inForce(
        policies.map((policy) => ({
          policyId: policy.policy_id,
          from: policy.start_date,
          to: policy.end_date ?? Infinity,
          supersedes: policy.prev_policies ?? [],
          policy,
        })),
        clock.now,
      ),
      ({ policyId }) => `Policy ${policyId}`,
    )
    const ready = holding
      .map(({ policy }) => ({ mode: policy.mode_id ?? defaultMode, ...readMdsPolicy(policy, areas) }))
      .filter(({ rules }) => rules.length)
    const { tracks, aside } = readFleet(vehicles, events)
    const said = aside.length ? { set_aside: aside } : {}
    if (!ready.length) return { id, result: 'not evaluated', ...said }
    const moment = { at: clock.now, clock: civilClock(clock.timezone), lostMs, movedMetres }
    const fleet = standingAt(tracks, clock.now)
    // Of a vehicle whose mode is not told its operator decides: providers have one each.
    const rules = ready
      .flatMap(({ mode, ...policy }) =>
        evaluatePolicy(
          policy,
          fleet.filter(({ track }) => (track.mode ?? mode) === mode),
          moment,
        ),
      )
      .map(({ ruleId, ...finding }) => ({ rule_id: ruleId, ...finding }))
    return {
      id,
      total_violations: rules.reduce((sum, { excess, shortfall }) => sum + excess + shortfall, 0),
      rules,
      ...said,
    }
  } catch (error) {
    if (error instanceof RuleProblem) return { id, error: error.message }
    throw error
  }
}
