import type { IncidentRule } from '#contract/incident-rules.ts'

/**
 * The figures at which an incident opens and closes, in the rule's unit. Between the two limits it does
 * neither, so that it does not open and close repeatedly.
 */
export interface RuleLimits {
  /** Whether figures over or under the limit violate the rule. */
  wrong: 'over' | 'under'
  opens: number
  closes: number
}

/** The limits of all rules. Their texts are in contract/incident-rules.ts. */
export const ruleLimits: Readonly<Record<IncidentRule, RuleLimits>> = {
  feed_failing: { wrong: 'over', opens: 30, closes: 0 },
  feed_late: { wrong: 'over', opens: 2, closes: 1 },
  gap: { wrong: 'over', opens: 0, closes: 0 },
  volume_low: { wrong: 'under', opens: 50, closes: 60 },
  volume_high: { wrong: 'over', opens: 200, closes: 180 },
  illegal_transitions: { wrong: 'over', opens: 5, closes: 4 },
  schema_violations: { wrong: 'over', opens: 1, closes: 0.8 },
  clock_skew: { wrong: 'over', opens: 1, closes: 0.8 },
  trips_without_end: { wrong: 'over', opens: 2, closes: 1.5 },
}

/** Returns whether a value opens an incident. */
export const isViolated = ({ wrong, opens }: RuleLimits, value: number): boolean =>
  wrong === 'over' ? value > opens : value < opens
/** Returns whether a value closes an incident. */
export const hasRecovered = ({ wrong, closes }: RuleLimits, value: number): boolean =>
  wrong === 'over' ? value <= closes : value >= closes
/** Returns the worse of two figures. */
export const pickWorse = ({ wrong }: RuleLimits, a: number, b: number): number =>
  wrong === 'over' ? Math.max(a, b) : Math.min(a, b)
/** A figure must be worse than that of the last notification by this factor for another one. */
const notifyAgainFactor = 1.5
/** Returns whether a value is so much worse than the notified one that the incident is notified again. */
export const isMuchWorse = ({ wrong }: RuleLimits, value: number, notified: number): boolean =>
  wrong === 'over'
    ? value > 0 && value >= notified * notifyAgainFactor
    : value <= notified / notifyAgainFactor && value < notified
