import { isMuchWorse, isRight, isWrong, type RuleLimits } from './rules.ts'

/** What is known of an incident of a rule and subject: open with the figure told last, closed a short time ago, or none. */
export type Standing = { is: 'open'; told: number | null } | { is: 'closed' } | { is: 'none' }

/** What becomes of it. `keep`: it stays open as it is. */
export type Decision = 'open' | 'reopen' | 'worse' | 'keep' | 'close' | 'nothing'

/** Decides by the figure of now; null: it cannot be made, so that nothing is known to have changed. */
export function decide(limits: RuleLimits, value: number | null, standing: Standing): Decision {
  if (standing.is === 'open') {
    if (value === null) return 'keep'
    if (isRight(limits, value)) return 'close'
    return standing.told !== null && isWrong(limits, value) && isMuchWorse(limits, value, standing.told)
      ? 'worse'
      : 'keep'
  }
  if (value === null || !isWrong(limits, value)) return 'nothing'
  return standing.is === 'closed' ? 'reopen' : 'open'
}
