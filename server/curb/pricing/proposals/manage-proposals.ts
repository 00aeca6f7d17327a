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
import { cellKey, listCells, ZoneRates } from '../zone-rates.ts'
import { checkLimits } from './check-limits.ts'
import { firstBandStart, planPublication } from './plan-publication.ts'
import {
  addAct,
  getAuthors,
  changedRows,
  countEdits,
  getEffectiveTime,
  findProposal,
  insertProposal,
  readPricingSettings,
  readProposals,
  readRows,
  rowKey,
  getSkippedZones,
  getStatus,
  type StoredProposal,
} from './proposal-store.ts'

export interface Pricing {
  state: State
  indexes: CurbIndexes
  readOccupancy: ReadBandOccupancy
}
interface ProposalRequest {
  actor: Pick<Viewer, 'scope' | 'email'>
  regionId: string
  /** Id of the proposal. */
  id: string
  at: Date
}

/** The local day on which rates take effect, as approved, or as planned until then. */
export function effectiveDay(proposal: StoredProposal, timezone: string): LocalDay {
  const time = getEffectiveTime(proposal)
  return time ? localDay(time, timezone) : proposal.parameters.effective_date
}

/** Returns a function that finds the rate in force at an instant for a row. */
export function createRateLookup(
  index: CurbIndex,
  at: number,
  parameters: Pick<PricingParameters, 'bands' | 'day_types'>,
): (row: Pick<ProposalRow, 'curb_zone_id' | 'band' | 'day_type'>) => number | null {
  const rates = ZoneRates.forIndex(index, listCells(parameters.bands, parameters.day_types))
  const epoch = index.at(at)
  return (row) => {
    const set = epoch.ruleSetByZone.get(row.curb_zone_id)
    return set
      ? (rates.getRates(set.policies, at, set.rules).get(cellKey(row.band, row.day_type))?.rate ?? null)
      : null
  }
}

/** Checks the limits of a proposal with its edits, as if it took effect on a local day. */
async function listFindings(
  store: Store,
  index: CurbIndex,
  proposal: StoredProposal,
  rows: readonly ProposalRow[],
  { email, at, effective }: { email: string; at: Date; effective: LocalDay },
): Promise<LimitFinding[]> {
  const plan = planPublication(index, { at: at.getTime(), parameters: proposal.parameters, rows })
  const problems = new Map(plan.skipped.map(({ curb_zone_id: id, reason }) => [id, reason]))
  return checkLimits({
    rows,
    settings: await readPricingSettings(store, index.regionId),
    today: localDay(at, index.timezone),
    effective,
    currency: index.currency,
    currentRate: createRateLookup(index, at.getTime(), proposal.parameters),
    splitProblem: (zoneId) => problems.get(zoneId) ?? null,
    approvedZones: await readOtherApprovedZones(store, proposal),
    isAuthor: getAuthors(proposal).has(email),
  })
}

/** Ids of zones with rates that other approved proposals, not yet in force, will change. */
async function readOtherApprovedZones(store: Store, { id, regionId }: StoredProposal): Promise<Set<string>> {
  const zones = new Set<string>()
  for (const other of await readProposals(store, regionId))
    if (other.id !== id && getStatus(other) === 'approved')
      for (const row of changedRows(await readRows(store, other))) zones.add(row.curb_zone_id)
  return zones
}

const timeText = (time: Date | null): string | null => time?.toISOString() ?? null

function describe(proposal: StoredProposal, timezone: string, rows: readonly ProposalRow[]): PriceProposal {
  return {
    proposal_id: proposal.id,
    name: proposal.name,
    status: getStatus(proposal),
    effective_date: effectiveDay(proposal, timezone),
    effective_time: timeText(getEffectiveTime(proposal)),
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
  const isOpen = getStatus(proposal) === 'open'
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
    findings: isOpen ? await listFindings(store, index, proposal, rows, { email, at, effective }) : [],
    summary: summarize(
      rows.map((row) => ({ ...row, proposed_rate: row.edit ? row.final_rate : row.proposed_rate })),
      proposal.parameters,
      index.currency,
      defaultElasticity,
    ),
    skipped: getSkippedZones(proposal),
    version: proposal.acts.at(-1)?.number ?? 0,
  }
}

/** A proposal with its findings and summary. Throws `not_found`. */
export async function findDetail(
  { state, indexes }: Pricing,
  { actor, regionId, id, at }: ProposalRequest,
): Promise<PriceProposalDetail> {
  const index = await indexes.get(actor.scope, regionId)
  const store = state.as(actor.scope)
  return readDetail(store, index, await findProposal(store, regionId, id), { email: actor.email, at })
}

/** Stores a proposal with what the rule proposes at an instant. */
export async function createProposal(
  pricing: Pricing,
  { actor, regionId, at, signal }: Omit<ProposalRequest, 'id'> & { signal: AbortSignal },
  { name, parameters }: { name: string; parameters: PricingParameters },
): Promise<PriceProposalDetail> {
  const { state, indexes, readOccupancy } = pricing
  const index = await indexes.get(actor.scope, regionId)
  const request = { scope: actor.scope, at: at.getTime(), signal }
  const rows = await queryOccupancyTarget(readOccupancy, index, request, parameters)
  if (!rows.length)
    throw new Problem(
      'validation_error',
      'No curb zone has paid parking in these time bands. Choose other bands, or publish regulations with rates.',
    )
  const proposal = { regionId, name, parameters, createdBy: actor.email, createdTime: at }
  const id = await state
    .as(actor.scope)
    .transaction()
    .execute((store) => insertProposal(store, proposal, rows))
  return findDetail(pricing, { actor, regionId, id, at })
}

/** Runs a change of a proposal while it is locked, and returns the changed proposal. */
async function changeProposal(
  pricing: Pricing,
  request: ProposalRequest,
  run: (store: Store, proposal: StoredProposal, index: CurbIndex) => Promise<void>,
): Promise<PriceProposalDetail> {
  const { state, indexes } = pricing
  const { actor, regionId, id } = request
  const index = await indexes.get(actor.scope, regionId)
  await state
    .as(actor.scope)
    .transaction()
    .execute(async (store) => {
      await lockProposal(store, regionId, id)
      await run(store, await findProposal(store, regionId, id), index)
    })
  return findDetail(pricing, request)
}

/** Locks a proposal until the transaction ends, so that changes of it run one after the other. */
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
  if (getStatus(proposal) !== 'open')
    throw new Problem('conflict', 'This proposal was approved or withdrawn. Reload the page.')
}

/** Sets the rates of rows, excludes rows or restores them. Stores either all edits or none. */
export const editProposal = (
  pricing: Pricing,
  request: ProposalRequest,
  edits: readonly ProposalEdit[],
): Promise<PriceProposalDetail> =>
  changeProposal(pricing, request, async (store, proposal) => {
    requireOpen(proposal)
    const rows = new Map((await readRows(store, proposal)).map((row) => [rowKey(row), row]))
    for (const [index, edit] of edits.entries()) {
      const refuse = (field: string, message: string): never => {
        throw new Problem('validation_error', `edits.${index}.${field}: ${message}`)
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
    await addAct(store, proposal, { act: 'edited', email: request.actor.email, at: request.at, edits })
  })

/** Approves a proposal, so that its notice begins. Throws a conflict if its findings contain errors. */
export const approveProposal = (
  pricing: Pricing,
  request: ProposalRequest,
  approval: {
    version: number
    effective_date?: LocalDay | null | undefined
    note?: string | null | undefined
  },
): Promise<PriceProposalDetail> =>
  changeProposal(pricing, request, async (store, proposal, index) => {
    const {
      actor: { email },
      regionId,
      at,
    } = request
    requireOpen(proposal)
    if (approval.version !== (proposal.acts.at(-1)?.number ?? 0))
      throw new Problem('conflict', 'Somebody edited this proposal after you opened it. Reload the page.')
    const effective = approval.effective_date ?? proposal.parameters.effective_date
    const rows = await readRows(store, proposal)
    const findings = await listFindings(store, index, proposal, rows, { email, at, effective })
    const errors = findings.filter(({ severity }) => severity === 'error')
    if (errors.length)
      throw new Problem('conflict', errors.map(({ message }) => message).join(' '), undefined, findings)
    await addAct(store, proposal, {
      act: 'approved',
      email,
      at,
      note: approval.note ?? null,
      effective: firstBandStart(proposal.parameters, effective, index.timezone),
    })
    const data = { proposal_id: proposal.id, effective_date: effective }
    await publishEvent(store, { type: 'curb.price_change.approved', regionId, data }, at)
  })

/** Withdraws an open or approved proposal. Throws a conflict if its rates are in force. */
export const withdrawProposal = (
  pricing: Pricing,
  request: ProposalRequest,
  reason: string,
): Promise<PriceProposalDetail> =>
  changeProposal(pricing, request, async (store, proposal) => {
    const { actor, at } = request
    const effective = getEffectiveTime(proposal)
    if (getStatus(proposal) === 'withdrawn')
      throw new Problem('conflict', 'This proposal is withdrawn already.')
    if (getStatus(proposal) === 'in_force' || (effective !== null && effective <= at))
      throw new Problem(
        'conflict',
        'These rates are in force. Make a proposal with the former rates to change them back.',
      )
    await addAct(store, proposal, { act: 'withdrawn', email: actor.email, at, note: reason })
  })
