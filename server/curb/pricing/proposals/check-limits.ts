import type { LimitFinding, PricingSettings, ProposalRow } from '#contract/curb-price-proposals.ts'
import { currencyDigits } from '#contract/money.ts'
import { dayNumber, type LocalDay } from '#contract/period.ts'
import { changedRows } from './proposal-store.ts'

/** A proposal with everything that its limits depend on. */
export interface LimitCheck {
  rows: readonly ProposalRow[]
  settings: PricingSettings
  today: LocalDay
  /** The local day on which the rates would take effect. */
  effective: LocalDay
  currency: string
  /** Returns the rate in force now. */
  currentRate: (row: ProposalRow) => number | null
  /** Returns why the policies of a zone cannot get the new rates; null if they can. */
  splitProblem: (zoneId: string) => string | null
  /** Ids of zones with rates that other approved proposals, not yet in force, will change. */
  approvedZones: ReadonlySet<string>
  isAuthor: boolean
}

const maxExamples = 5

/** Problems of a proposal with its edits. Errors prevent its approval. */
export function checkLimits(check: LimitCheck): LimitFinding[] {
  const { rows, settings, today, effective, currency, currentRate, splitProblem, approvedZones, isAuthor } =
    check
  const { floor, ceiling, max_step: step, min_days_between: minDays, notice_days: notice } = settings
  const money = (minor: number): string => {
    const digits = currencyDigits(currency)
    return `${(minor / 10 ** digits).toFixed(digits)} ${currency}`
  }
  const changed = changedRows(rows)
  const findings: LimitFinding[] = []
  const add = (
    code: LimitFinding['code'],
    message: string,
    affected: readonly ProposalRow[] = [],
    severity: LimitFinding['severity'] = 'error',
  ): void => {
    const examples = affected.slice(0, maxExamples).map(({ curb_zone_id, shape_name, band, day_type }) => ({
      curb_zone_id,
      shape_name,
      band,
      day_type,
    }))
    findings.push({ code, severity, message, rows: affected.length, examples })
  }
  const addRows = (code: LimitFinding['code'], message: string, affected: readonly ProposalRow[]): void => {
    if (affected.length) add(code, message, affected)
  }
  if (!changed.length) add('no_change', 'No rate would change. Set a rate, or withdraw the proposal.')
  if (floor !== null)
    addRows(
      'below_floor',
      `Rates below the lowest one allowed, ${money(floor)}.`,
      changed.filter((row) => row.final_rate < floor),
    )
  if (ceiling !== null)
    addRows(
      'above_ceiling',
      `Rates above the highest one allowed, ${money(ceiling)}.`,
      changed.filter((row) => row.final_rate > ceiling),
    )
  if (step !== null)
    addRows(
      'step_too_large',
      `Rates that change by more than ${money(step)} at once.`,
      changed.filter((row) => Math.abs(row.final_rate - row.current_rate) > step),
    )
  if (minDays !== null)
    addRows(
      'too_soon',
      `Rates that changed less than ${minDays} days before.`,
      changed.filter(
        ({ last_change: last }) => last !== null && dayNumber(effective) - dayNumber(last) < minDays,
      ),
    )
  addRows(
    'rate_changed',
    'Rates that have changed since this proposal was made. Make a new one, or exclude the rows.',
    changed.filter((row) => currentRate(row) !== row.current_rate),
  )
  const approved = changed.filter(({ curb_zone_id: id }) => approvedZones.has(id))
  if (approved.length)
    add(
      'approved_elsewhere',
      'Another approved proposal, which is not in force yet, changes rates of the same curb zones. If both change the same rate, only the first to take effect does.',
      approved,
      'warning',
    )
  const problems = new Map<string, string | null>()
  for (const { curb_zone_id: id } of changed) if (!problems.has(id)) problems.set(id, splitProblem(id))
  const reason = [...problems.values()].find((problem) => problem !== null)
  addRows(
    'not_splittable',
    reason ?? '',
    changed.filter((row) => problems.get(row.curb_zone_id) !== null),
  )
  const days = dayNumber(effective) - dayNumber(today)
  if (days < notice || days < 1)
    add(
      'notice_too_short',
      `The rates would take effect on ${effective}, ${days} days from today; at least ${Math.max(1, notice)} days of notice are required.`,
    )
  if (settings.needs_second_person && isAuthor)
    add('same_person', 'You made or edited this proposal; another person must approve it.')
  if (!settings.is_public)
    add(
      'not_public',
      'The rate table of this region is not public, so that nobody sees the notice.',
      [],
      'warning',
    )
  return findings
}
