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
  /** Returns the current rate, minor units per hour; null if the row has no single rate. */
  getCurrentRate: (row: ProposalRow) => number | null
  /** Returns why the policies of a zone cannot get the new rates; null if they can. */
  getSplitProblem: (zoneId: string) => string | null
  approvedProposals: readonly ApprovedProposal[]
  isAuthor: boolean
}

/** Finds problems of a proposal with its edits. Errors prevent its approval. */
export function checkLimits(check: LimitCheck): LimitFinding[] {
  const changedRows = findChangedRows(check.rows)
  return [
    ...(changedRows.length
      ? []
      : [createFinding('no_change', 'No rate would change. Set a rate, or withdraw the proposal.')]),
    ...checkRates(check, changedRows),
    ...checkConflicts(check, changedRows),
    ...checkApproval(check),
  ]
}

/** Checks the new rates against the limits of the region. */
function checkRates(
  { settings, effective, currency }: LimitCheck,
  changedRows: readonly ChangedRow[],
): LimitFinding[] {
  const { floor, ceiling, max_step: maxStep, min_days_between: minDays } = settings
  const formatAmount = (minor: number): string => {
    const digits = currencyDigits(currency)
    return `${(minor / 10 ** digits).toFixed(digits)} ${currency}`
  }
  const findings: LimitFinding[] = []
  if (floor !== null)
    findings.push(
      ...createRowFindings(
        'below_floor',
        `Rates below the lowest one allowed, ${formatAmount(floor)}.`,
        changedRows.filter((row) => row.final_rate < floor),
      ),
    )
  if (ceiling !== null)
    findings.push(
      ...createRowFindings(
        'above_ceiling',
        `Rates above the highest one allowed, ${formatAmount(ceiling)}.`,
        changedRows.filter((row) => row.final_rate > ceiling),
      ),
    )
  if (maxStep !== null)
    findings.push(
      ...createRowFindings(
        'step_too_large',
        `Rates that change by more than ${formatAmount(maxStep)} at once.`,
        changedRows.filter((row) => Math.abs(row.final_rate - row.current_rate) > maxStep),
      ),
    )
  if (minDays !== null)
    findings.push(
      ...createRowFindings(
        'too_soon',
        `Rates that changed less than ${minDays} days before.`,
        changedRows.filter(
          ({ last_change: last }) => last !== null && dayNumber(effective) - dayNumber(last) < minDays,
        ),
      ),
    )
  return findings
}

/** Checks the new rates against the current ones, other proposals and the policies of the zones. */
function checkConflicts(
  { getCurrentRate, getSplitProblem, approvedProposals }: LimitCheck,
  changedRows: readonly ChangedRow[],
): LimitFinding[] {
  const problems = new Map<string, string | null>()
  for (const { curb_zone_id: id } of changedRows) if (!problems.has(id)) problems.set(id, getSplitProblem(id))
  const firstProblem = [...problems.values()].find((problem) => problem !== null)
  return [
    ...createRowFindings(
      'rate_changed',
      'Rates that have changed since this proposal was made. Make a new one, or exclude the rows.',
      changedRows.filter((row) => getCurrentRate(row) !== row.current_rate),
    ),
    ...createRowFindings(
      'approved_elsewhere',
      'Another approved proposal, which is not in force yet, changes rates of the same curb zones. If both change the same rate, only the first to take effect does.',
      changedRows.filter(({ curb_zone_id: id }) => approvedProposals.some(({ zoneIds }) => zoneIds.has(id))),
      'warning',
    ).map((finding) => ({ ...finding, proposals: listOverlaps(approvedProposals, changedRows) })),
    ...createRowFindings(
      'not_splittable',
      firstProblem ?? '',
      changedRows.filter((row) => problems.get(row.curb_zone_id) !== null),
    ),
  ]
}

/** Lists approved proposals that change rates of the same zones, with the numbers of these rows and zones. */
function listOverlaps(
  proposals: readonly ApprovedProposal[],
  changedRows: readonly ChangedRow[],
): LimitFinding['proposals'] {
  return proposals.flatMap(({ zoneIds, ...proposal }) => {
    const sharedZoneIds = changedRows.map((row) => row.curb_zone_id).filter((id) => zoneIds.has(id))
    const zones = new Set(sharedZoneIds).size
    return zones ? [{ ...proposal, rows: sharedZoneIds.length, zones }] : []
  })
}

/** Checks the notice period, the person who approves, and whether the public sees the notice. */
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

/** Returns a finding about the affected rows; none if there are none. */
const createRowFindings = (
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
