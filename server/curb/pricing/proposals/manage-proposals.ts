import type {
  LimitFinding,
  PriceProposal,
  PriceProposalDetail,
  ProposalEdit,
  ProposalRow,
} from '#contract/curb-price-proposals.ts'
import { defaultElasticity, type PricingParameters } from '#contract/curb-pricing-parameters.ts'
import { type LocalDay, localDay } from '#contract/period.ts'
import type { CurbIndex, CurbIndexes } from '../../store/curb-index.ts'
import { Problem } from '#server/http/problem.ts'
import { publishEvent } from '#server/notifications/events/publish-event.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { queryOccupancyTarget, type ReadBandOccupancy } from '../propose-rates.ts'
import { summarize } from '../rate-rows.ts'
import { cellKey, cellsOf, ZoneRates } from '../zone-rates.ts'
import { checkLimits } from './check-limits.ts'
import { firstBandStart, planPublication } from './plan-publication.ts'
import {
  addAct,
  authorsOf,
  changedRows,
  countEdits,
  effectiveTimeOf,
  findProposal,
  insertProposal,
  readPricingSettings,
  readProposals,
  readRows,
  rowKey,
  skippedIn,
  statusOf,
  type StoredProposal,
} from './proposal-store.ts'

export interface Pricing {
  state: State
  indexes: CurbIndexes
  readOccupancy: ReadBandOccupancy
}
type By = Pick<Viewer, 'scope' | 'email'>

/** The day on which rates take effect: as approved, or as planned. */
export function effectiveDay(proposal: StoredProposal, zone: string): LocalDay {
  const time = effectiveTimeOf(proposal)
  return time ? localDay(time, zone) : proposal.parameters.effective_date
}

/** The rate in force of each row, now. */
export function currentRates(
  index: CurbIndex,
  at: number,
  parameters: Pick<PricingParameters, 'bands' | 'day_types'>,
): (row: Pick<ProposalRow, 'curb_zone_id' | 'band' | 'day_type'>) => number | null {
  const rates = ZoneRates.of(index, cellsOf(parameters.bands, parameters.day_types))
  const epoch = index.at(at)
  return (row) => {
    const set = epoch.ruleSetByZone.get(row.curb_zone_id)
    return set
      ? (rates.ofPolicies(set.policies, at, set.rules).get(cellKey(row.band, row.day_type))?.rate ?? null)
      : null
  }
}

async function findingsOf(
  store: Store,
  index: CurbIndex,
  proposal: StoredProposal,
  rows: readonly ProposalRow[],
  { email, at, effective }: { email: string; at: Date; effective: LocalDay },
): Promise<LimitFinding[]> {
  const plan = planPublication(index, at.getTime(), proposal.parameters, rows, () => null)
  const problems = new Map(plan.skipped.map(({ curb_zone_id: id, reason }) => [id, reason]))
  return checkLimits({
    rows,
    settings: await readPricingSettings(store, index.regionId),
    today: localDay(at, index.timezone),
    effective,
    currency: index.currency,
    currentRate: currentRates(index, at.getTime(), proposal.parameters),
    splitProblem: (zoneId) => problems.get(zoneId) ?? null,
    approvedZones: await zonesApprovedBeside(store, proposal),
    isAuthor: authorsOf(proposal).has(email),
  })
}

/** Ids of zones with rates that other approved proposals, not yet in force, change. */
async function zonesApprovedBeside(store: Store, { id, regionId }: StoredProposal): Promise<Set<string>> {
  const zones = new Set<string>()
  for (const other of await readProposals(store, regionId))
    if (other.id !== id && statusOf(other) === 'approved')
      for (const row of changedRows(await readRows(store, other))) zones.add(row.curb_zone_id)
  return zones
}

const timeText = (time: Date | null): string | null => time?.toISOString() ?? null

function describe(proposal: StoredProposal, zone: string, rows: readonly ProposalRow[]): PriceProposal {
  return {
    proposal_id: proposal.id,
    name: proposal.name,
    status: statusOf(proposal),
    effective_date: effectiveDay(proposal, zone),
    effective_time: timeText(effectiveTimeOf(proposal)),
    created_time: proposal.createdTime.toISOString(),
    created_by_email: proposal.createdBy,
    rows: proposal.rowCount,
    changes: changedRows(rows).length,
    edits: countEdits(proposal),
  }
}

/** Proposals of a region, newest first. */
export async function listProposals(
  { state, indexes }: Pricing,
  scope: Scope,
  regionId: string,
): Promise<PriceProposal[]> {
  const index = await indexes.get(scope, regionId)
  const store = state.as(scope)
  const proposals: PriceProposal[] = []
  for (const proposal of await readProposals(store, regionId))
    proposals.push(describe(proposal, index.timezone, await readRows(store, proposal)))
  return proposals
}

async function readDetail(
  store: Store,
  index: CurbIndex,
  proposal: StoredProposal,
  { email, at }: { email: string; at: Date },
): Promise<PriceProposalDetail> {
  const rows = await readRows(store, proposal)
  const isOpen = statusOf(proposal) === 'open'
  const effective = effectiveDay(proposal, index.timezone)
  const created = {
    act: 'created' as const,
    time: proposal.createdTime.toISOString(),
    by_email: proposal.createdBy,
    note: null,
  }
  return {
    ...describe(proposal, index.timezone, rows),
    parameters: proposal.parameters,
    steps: [
      created,
      ...proposal.acts.map((act) => ({
        act: act.act as 'edited' | 'approved' | 'withdrawn' | 'published',
        time: act.act_time.toISOString(),
        by_email: act.act_by,
        note: act.note,
      })),
    ],
    findings: isOpen ? await findingsOf(store, index, proposal, rows, { email, at, effective }) : [],
    summary: summarize(
      rows.map((row) => ({ ...row, proposed_rate: row.edit ? row.final_rate : row.proposed_rate })),
      proposal.parameters,
      index.currency,
      defaultElasticity,
    ),
    skipped: skippedIn(proposal),
    version: proposal.acts.at(-1)?.number ?? 0,
  }
}

export async function findDetail(
  { state, indexes }: Pricing,
  by: By,
  regionId: string,
  id: string,
  at: Date,
): Promise<PriceProposalDetail> {
  const index = await indexes.get(by.scope, regionId)
  const store = state.as(by.scope)
  return readDetail(store, index, await findProposal(store, regionId, id), { email: by.email, at })
}

/** Stores what the rule proposes now. */
export async function createProposal(
  pricing: Pricing,
  by: By,
  regionId: string,
  { name, parameters }: { name: string; parameters: PricingParameters },
  at: Date,
  signal: AbortSignal,
): Promise<PriceProposalDetail> {
  const { state, indexes, readOccupancy } = pricing
  const index = await indexes.get(by.scope, regionId)
  const rows = await queryOccupancyTarget(readOccupancy, index, by.scope, parameters, at.getTime(), signal)
  if (!rows.length)
    throw new Problem(
      'validation_error',
      'No curb zone has paid parking in these time bands. Choose other bands, or publish regulations with rates.',
    )
  const proposal = { regionId, name, parameters, createdBy: by.email, createdTime: at }
  const id = await state
    .as(by.scope)
    .transaction()
    .execute((store) => insertProposal(store, proposal, rows))
  return findDetail(pricing, by, regionId, id, at)
}

/** Runs a change of a proposal with the proposal locked, and returns it as it is afterward. */
async function change(
  pricing: Pricing,
  by: By,
  regionId: string,
  id: string,
  at: Date,
  run: (store: Store, proposal: StoredProposal, index: CurbIndex) => Promise<void>,
): Promise<PriceProposalDetail> {
  const { state, indexes } = pricing
  const index = await indexes.get(by.scope, regionId)
  await state
    .as(by.scope)
    .transaction()
    .execute(async (store) => {
      await lockProposal(store, regionId, id)
      await run(store, await findProposal(store, regionId, id), index)
    })
  return findDetail(pricing, by, regionId, id, at)
}

/** Locks a proposal until the transaction ends, so that what happens to it follows one after the other. */
export async function lockProposal(store: Store, regionId: string, id: string): Promise<void> {
  await store
    .selectFrom('curb_price_proposal')
    .select('proposal_id')
    .where('region_id', '=', regionId)
    .where('proposal_id', '=', id)
    .forUpdate()
    .execute()
}

function requireOpen(proposal: StoredProposal): void {
  if (statusOf(proposal) !== 'open')
    throw new Problem('conflict', 'This proposal was approved or withdrawn. Reload the page.')
}

/** Sets other rates for rows, excludes or restores them. All edits or none are stored. */
export const editProposal = (
  pricing: Pricing,
  by: By,
  regionId: string,
  id: string,
  edits: readonly ProposalEdit[],
  at: Date,
): Promise<PriceProposalDetail> =>
  change(pricing, by, regionId, id, at, async (store, proposal) => {
    requireOpen(proposal)
    const rows = new Map((await readRows(store, proposal)).map((row) => [rowKey(row), row]))
    for (const [number, edit] of edits.entries()) {
      const refuse = (field: string, message: string): never => {
        throw new Problem('validation_error', `edits.${number}.${field}: ${message}`)
      }
      const row = rows.get(rowKey(edit))
      if (!row) return refuse('curb_zone_id', 'The proposal has no such row.')
      if (edit.action !== 'set') continue
      if (edit.rate === null || edit.rate === undefined) refuse('rate', 'Please enter a rate.')
      if (row.current_rate === null)
        refuse(
          'rate',
          'The row has no single rate per hour that could change. Change the regulation instead.',
        )
    }
    await addAct(store, proposal, { act: 'edited', by: by.email, at, edits })
  })

/** Approves a proposal: its notice begins. Throws a conflict if something speaks against it. */
export const approveProposal = (
  pricing: Pricing,
  by: By,
  regionId: string,
  id: string,
  given: { version: number; effective_date?: LocalDay | null | undefined; note?: string | null | undefined },
  at: Date,
): Promise<PriceProposalDetail> =>
  change(pricing, by, regionId, id, at, async (store, proposal, index) => {
    requireOpen(proposal)
    if (given.version !== (proposal.acts.at(-1)?.number ?? 0))
      throw new Problem('conflict', 'Somebody edited this proposal after you opened it. Reload the page.')
    const effective = given.effective_date ?? proposal.parameters.effective_date
    const rows = await readRows(store, proposal)
    const findings = await findingsOf(store, index, proposal, rows, { email: by.email, at, effective })
    const errors = findings.filter(({ severity }) => severity === 'error')
    if (errors.length)
      throw new Problem('conflict', errors.map(({ message }) => message).join(' '), undefined, findings)
    await addAct(store, proposal, {
      act: 'approved',
      by: by.email,
      at,
      note: given.note ?? null,
      effective: firstBandStart(proposal.parameters, effective, index.timezone),
    })
    const data = { proposal_id: proposal.id, effective_date: effective }
    await publishEvent(store, { type: 'curb.price_change.approved', regionId, data }, at)
  })

/** Withdraws an open or approved proposal, with a reason. */
export const withdrawProposal = (
  pricing: Pricing,
  by: By,
  regionId: string,
  id: string,
  reason: string,
  at: Date,
): Promise<PriceProposalDetail> =>
  change(pricing, by, regionId, id, at, async (store, proposal) => {
    const effective = effectiveTimeOf(proposal)
    if (statusOf(proposal) === 'withdrawn')
      throw new Problem('conflict', 'This proposal is withdrawn already.')
    if (statusOf(proposal) === 'in_force' || (effective !== null && effective <= at))
      throw new Problem(
        'conflict',
        'These rates are in force. Make a proposal with the former rates to change them back.',
      )
    await addAct(store, proposal, { act: 'withdrawn', by: by.email, at, note: reason })
  })
