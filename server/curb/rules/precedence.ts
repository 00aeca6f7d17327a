import type { CurbUse } from '#contract/curb-rules.ts'

/**
 * What a rule says about a use. `exceeded`: the rule only permits a lesser use, such as loading when the
 * question is about parking. The use is then forbidden, unless a rule of the same priority allows it.
 */
export type Effect = 'allowed' | 'forbidden' | 'exceeded'

/** What a rule says about the uses that it concerns. */
export type Effects = Readonly<Partial<Record<CurbUse, Effect>>>

/** The attributes of a rule that determine its precedence. */
export interface RankedRule {
  policy: { id: string; priority: number }
  /** Position in the policy. */
  index: number
  effects: Effects
}

/** Of rules with the same priority, prohibitions come before permissions. */
const effectRanks: Readonly<Record<Effect, number>> = { forbidden: 0, allowed: 1, exceeded: 2 }

const compareIds = (a: string, b: string): number => Number(a > b) - Number(a < b)

/** Compares rules by priority, then by policy and position, so that the order of policies does not matter. */
const compareByPriority = (a: RankedRule, b: RankedRule): number =>
  a.policy.priority - b.policy.priority || compareIds(a.policy.id, b.policy.id) || a.index - b.index

/** Sorts rules by priority; lower numbers come first, as in CDS. */
export const sortByPriority = <Rule extends RankedRule>(rules: readonly Rule[]): Rule[] =>
  rules.toSorted(compareByPriority)

/**
 * Returns the rules that say something about a use, in order of precedence (decision 041). At any instant,
 * the deciding rule is the first one that applies to the vehicle.
 *
 * 1. A lower priority number precedes.
 * 2. Of rules with the same priority, prohibitions precede permissions, and permissions of the use precede
 *    those of a lesser use.
 * 3. Otherwise the order is arbitrary but stable. The check of policies reports such rules to the author.
 */
export function sortByPrecedence<Rule extends RankedRule>(rules: readonly Rule[], use: CurbUse): Rule[] {
  const getEffectRank = ({ effects }: RankedRule): number => effectRanks[effects[use] ?? 'exceeded']
  return rules
    .filter(({ effects }) => effects[use])
    .toSorted(
      (a, b) =>
        a.policy.priority - b.policy.priority ||
        getEffectRank(a) - getEffectRank(b) ||
        compareByPriority(a, b),
    )
}
