import type { LimitFinding, PricingSettings, ProposalRow } from '#contract/curb-price-proposals.ts'
import { currencyDigits } from '#contract/money.ts'
import { dayNumber, type LocalDay } from '#contract/period.ts'
import { type ChangedRow, findChangedRows } from './proposal-store.ts'

/** Another approved proposal that is not in force yet, with the ids of zones with rates that it changes. */
export interface ApprovedProposal {
  proposal_id: string
  name: string
  effective_date: LocalDay
  zoneIds: ReadonlySet<string>
}

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
  approvedProposals: readonly ApprovedProposal[]
  isAuthor: boolean
}

/** Finds problems of a proposal with its edits. Errors prevent its approval. */
export function checkLimits(check: LimitCheck): LimitFinding[] {
  const changed = findChangedRows(check.rows)
  return [
    ...(changed.length
      ? []
      : [createFinding('no_change', 'No rate would change. Set a rate, or withdraw the proposal.')]),
    ...checkRates(check, changed),
    ...checkConflicts(check, changed),
    ...checkApproval(check),
  ]
}

/** Returns the new rates against the limits of the region. */
function checkRates(
  { settings, effective, currency }: LimitCheck,
  changed: readonly ChangedRow[],
): LimitFinding[] {
  const { floor, ceiling, max_step: maxStep, min_days_between: minDays } = settings
  const toText = (minor: number): string => {
    const digits = currencyDigits(currency)
    return `${(minor / 10 ** digits).toFixed(digits)} ${currency}`
  }
  const findings: LimitFinding[] = []
  if (floor !== null)
    findings.push(
      ...findRows(
        'below_floor',
        `Rates below the lowest one allowed, ${toText(floor)}.`,
        changed.filter((row) => row.final_rate < floor),
      ),
    )
  if (ceiling !== null)
    findings.push(
      ...findRows(
        'above_ceiling',
        `Rates above the highest one allowed, ${toText(ceiling)}.`,
        changed.filter((row) => row.final_rate > ceiling),
      ),
    )
  if (maxStep !== null)
    findings.push(
      ...findRows(
        'step_too_large',
        `Rates that change by more than ${toText(maxStep)} at once.`,
        changed.filter((row) => Math.abs(row.final_rate - row.current_rate) > maxStep),
      ),
    )
  if (minDays !== null)
    findings.push(
      ...findRows(
        'too_soon',
        `Rates that changed less than ${minDays} days before.`,
        changed.filter(
          ({ last_change: last }) => last !== null && dayNumber(effective) - dayNumber(last) < minDays,
        ),
      ),
    )
  return findings
}

/** Returns the new rates against those in force, other proposals and the policies of the zones. */
function checkConflicts(
  { currentRate, splitProblem, approvedProposals }: LimitCheck,
  changed: readonly ChangedRow[],
): LimitFinding[] {
  const problems = new Map<string, string | null>()
  for (const { curb_zone_id: id } of changed) if (!problems.has(id)) problems.set(id, splitProblem(id))
  const firstProblem = [...problems.values()].find((problem) => problem !== null)
  return [
    ...findRows(
      'rate_changed',
      'Rates that have changed since this proposal was made. Make a new one, or exclude the rows.',
      changed.filter((row) => currentRate(row) !== row.current_rate),
    ),
    ...findRows(
      'approved_elsewhere',
      'Another approved proposal, which is not in force yet, changes rates of the same curb zones. If both change the same rate, only the first to take effect does.',
      changed.filter(({ curb_zone_id: id }) => approvedProposals.some(({ zoneIds }) => zoneIds.has(id))),
      'warning',
    ).map((finding) => ({ ...finding, proposals: countShared(approvedProposals, changed) })),
    ...findRows(
      'not_splittable',
      firstProblem ?? '',
      changed.filter((row) => problems.get(row.curb_zone_id) !== null),
    ),
  ]
}

/** Counts approved proposals that change rates of the same zones, with these rows and zones. */
function countShared(
  proposals: readonly ApprovedProposal[],
  changed: readonly ChangedRow[],
): LimitFinding['proposals'] {
  return proposals.flatMap(({ zoneIds, ...proposal }) => {
    const shared = changed.map((row) => row.curb_zone_id).filter((id) => zoneIds.has(id))
    return shared.length ? [{ ...proposal, rows: shared.length, zones: new Set(shared).size }] : []
  })
}

/** Returns the notice period, the person who approves, and whether the public sees the notice. */
function checkApproval({ settings, today, effective, isAuthor }: LimitCheck): LimitFinding[] {
  const findings: LimitFinding[] = []
  const days = dayNumber(effective) - dayNumber(today)
  if (days < settings.notice_days || days < 1)
    findings.push(
      createFinding(
        'notice_too_short',
        `The rates would take effect on ${effective}, ${days} days from today; at least ${Math.max(1, settings.notice_days)} days of notice are required.`,
      ),
    )
  if (settings.needs_second_person && isAuthor)
    findings.push(
      createFinding('same_person', 'You made or edited this proposal; another person must approve it.'),
    )
  if (!settings.is_public)
    findings.push(
      createFinding(
        'not_public',
        'The rate table of this region is not public, so that nobody sees the notice.',
        [],
        'warning',
      ),
    )
  return findings
}

/** Finds a finding about rows; none if there are no rows. */
const findRows = (
  code: LimitFinding['code'],
  message: string,
  affected: readonly ProposalRow[],
  severity?: LimitFinding['severity'],
): LimitFinding[] => (affected.length ? [createFinding(code, message, affected, severity)] : [])

const maxExamples = 5

function createFinding(
  code: LimitFinding['code'],
  message: string,
  affected: readonly ProposalRow[] = [],
  severity: LimitFinding['severity'] = 'error',
): LimitFinding {
  const examples = affected
    .slice(0, maxExamples)
    .map(({ curb_zone_id, shape_name, band, day_type }) => ({ curb_zone_id, shape_name, band, day_type }))
  return { code, severity, message, rows: affected.length, examples }
}
