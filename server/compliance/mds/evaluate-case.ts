import { defaultLostAfterHours } from '#server/regions/lost-vehicles.ts'
import { z } from 'zod'
import { civilClock } from '#contract/civil-clock.ts'
import { MdsGeography, MdsPolicy } from '#contract/mds-policy.ts'
import { hourMs } from '#contract/period.ts'
import { Zone } from '#contract/regions.ts'
import { movedMeters } from '#server/fleet/events/moved-meters.ts'
import { evaluatePolicy } from '../evaluate-policy.ts'
import { findVehiclesAt } from '../vehicles-at.ts'
import { readFleet, type SetAside } from './fleet-case.ts'
import { createMdsAreas } from './mds-areas.ts'
import { upgradePolicyStates } from './upgrade-mds.ts'
import { removeDuplicates, RuleProblem, readMdsRule } from './read-mds-rule.ts'
import type { RulePolicy, Area } from '../rule.ts'

type CaseRecord = Record<PropertyKey, unknown>

const isRecord = (value: unknown): value is CaseRecord => typeof value === 'object' && value !== null
/** Names of records by the field with their id. */
const namesByIdField = { rule_id: 'Rule', policy_id: 'Policy', geography_id: 'Geography' }
const idFields = ['rule_id', 'policy_id', 'geography_id'] as const

/** Returns the message of a case's first error. Policies, rules and geographies are named by their ids. */
function formatFirstIssue({ issues: [issue] }: z.ZodError, raw: unknown): string {
  if (!issue) return 'the case is invalid'
  const names: string[] = []
  let record = raw
  // The path from the last named record on.
  let path = [...issue.path]
  issue.path.forEach((key, depth) => {
    record = isRecord(record) ? record[key] : undefined
    const hasId = (id: string): boolean =>
      isRecord(record) && typeof record[id] === 'string' && record[id] !== ''
    const idField = idFields.find(hasId)
    if (!idField) return
    names.push(`${namesByIdField[idField]} ${String((record as CaseRecord)[idField])}`)
    path = issue.path.slice(depth + 1)
  })
  const subject = path.map(String).join('.') || (names.length ? 'it' : 'the case')
  return [...names, subject, issue.message].join(': ')
}

/** Prepares an MDS policy, without rules that only inform riders. @throws RuleProblem if it is invalid. */
export function readMdsPolicy(policy: MdsPolicy, getArea: (ids: readonly string[]) => Area): RulePolicy {
  try {
    return {
      policyId: policy.policy_id,
      name: policy.name,
      providerIds: policy.provider_ids?.length ? new Set(policy.provider_ids) : null,
      from: policy.start_date,
      to: policy.end_date ?? Infinity,
      supersedes: policy.prev_policies ?? [],
      rules: policy.rules.flatMap((rule) => readMdsRule(rule, getArea) ?? []),
    }
  } catch (error) {
    if (error instanceof RuleProblem) throw new RuleProblem(`Policy ${policy.policy_id}: ${error.message}`)
    throw error
  }
}

/** Finds policies in force at an instant (epoch ms) without superseded ones (docs/metrics.md, decision 7). */
export function findInForce<Policy extends Pick<RulePolicy, 'policyId' | 'from' | 'to' | 'supersedes'>>(
  policies: readonly Policy[],
  now: number,
): Policy[] {
  const started = policies.filter(({ from }) => from <= now)
  const superseded = new Set(
    started.flatMap(({ policyId, supersedes }) => supersedes.filter((id) => id !== policyId)),
  )
  return started.filter(({ policyId, to }) => now < to && !superseded.has(policyId))
}

/** The policies and vehicles of a city at one moment, in the format of MDS 2.0. */
const Case = z.object({
  id: z.string().min(1),
  clock: z.object({ now: z.number().min(-8.64e15).max(8.64e15), timezone: Zone }),
  policies: z.array(z.preprocess(upgradePolicyStates, MdsPolicy)),
  geographies: z.array(MdsGeography),
  vehicles: z.array(z.unknown()),
  events: z.array(z.unknown()),
})

const lostMs = defaultLostAfterHours * hourMs
/** The default mode of a policy in the schema of MDS 2.0. */
const defaultMode = 'micromobility'

/** The output for a case, as it is printed. */
type CaseOutcome = { set_aside?: SetAside[] } & (
  | {
      id: string
      total_violations: number
      rules: {
        rule_id: string
        measured: number
        excess: number
        shortfall: number
        vehicles: string[]
        rate?: Rate
      }[]
    }
  | { id: string; result: 'not evaluated' }
  | { id: string; error: string }
)

/** The rate of a rule, in minor units of the policy's currency (MDS 2.0 Policy, Rates). */
interface Rate {
  amount: number
  currency: string | null
  recurrence: string | null
  applies_when: 'in_bounds' | 'out_of_bounds'
}

/** Returns the rates of policies by rule id. */
const collectRates = (policies: readonly MdsPolicy[]): ReadonlyMap<string, Rate> =>
  new Map(
    policies.flatMap(({ currency, rules }) =>
      rules.flatMap((rule) =>
        rule.rate_amount == null
          ? []
          : [
              [
                rule.rule_id,
                {
                  amount: rule.rate_amount,
                  currency: currency ?? null,
                  recurrence: rule.rate_recurrence ?? null,
                  applies_when: rule.rate_applies_when ?? 'out_of_bounds',
                },
              ] as const,
            ],
      ),
    ),
  )

const readId = (raw: unknown, fallback: string): string =>
  typeof raw === 'object' && raw !== null && 'id' in raw && typeof raw.id === 'string' ? raw.id : fallback

/**
 * Evaluates the policies of a case at its moment. The result is `not evaluated` if no policy in force has a
 * rule that can be violated.
 * @param name The name of the file, which identifies cases without an id.
 */
export function evaluateCase(raw: unknown, name: string): CaseOutcome {
  const id = readId(raw, name)
  const parsed = Case.safeParse(raw)
  if (!parsed.success) return { id, error: formatFirstIssue(parsed.error, raw) }
  const { clock, policies, geographies, vehicles, events } = parsed.data
  try {
    const areas = createMdsAreas(geographies)
    const policiesInForce = removeDuplicates(
      findInForce(
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
    const evaluatedPolicies = policiesInForce
      .map(({ policy }) => ({ mode: policy.mode_id ?? defaultMode, ...readMdsPolicy(policy, areas) }))
      .filter(({ rules }) => rules.length)
    const { tracks, aside } = readFleet(vehicles, events)
    const setAside = aside.length ? { set_aside: aside } : {}
    if (!evaluatedPolicies.length) return { id, result: 'not evaluated', ...setAside }
    const moment = { at: clock.now, clock: civilClock(clock.timezone), lostMs, movedMeters }
    const fleet = findVehiclesAt(tracks, clock.now)
    const rates = collectRates(policiesInForce.map(({ policy }) => policy))
    // A vehicle without a mode has the mode of the policy, because each provider has a single mode.
    const rules = evaluatedPolicies
      .flatMap(({ mode, ...policy }) =>
        evaluatePolicy(
          policy,
          fleet.filter(({ track }) => (track.mode ?? mode) === mode),
          moment,
        ),
      )
      .map(({ ruleId, ...result }) => {
        const rate = rates.get(ruleId)
        return { rule_id: ruleId, ...result, ...(rate ? { rate } : {}) }
      })
    return {
      id,
      total_violations: rules.reduce((sum, { excess, shortfall }) => sum + excess + shortfall, 0),
      rules,
      ...setAside,
    }
  } catch (error) {
    if (error instanceof RuleProblem) return { id, error: error.message }
    throw error
  }
}
