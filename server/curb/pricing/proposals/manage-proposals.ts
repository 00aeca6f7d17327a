import type {
  approvePriceProposal,
  createPriceProposal,
  editPriceProposal,
  PriceProposalDetail,
  ProposalEdit,
  ProposalRow,
  withdrawPriceProposal,
} from '#contract/curb-price-proposals.ts'
import type { CurbIndex } from '../../store/curb-index.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import { publishEvent } from '#server/notifications/events/publish-event.ts'
import type { Store } from '#server/stores/state.ts'
import { queryOccupancyTarget } from '../propose-rates.ts'
import { findFirstBandStart } from './plan-publication.ts'
import { findDetail, listFindings, type Pricing, type ProposalCall } from './proposal-detail.ts'
import {
  addAct,
  getEffectiveTime,
  findProposal,
  insertProposal,
  readRows,
  makeRowKey,
  getStatus,
  type StoredProposal,
} from './proposal-store.ts'

type CreateCall = Pick<Call<typeof createPriceProposal>, 'params' | 'body' | 'at' | 'signal'> &
  Pick<ProposalCall, 'viewer'>

/** Stores a proposal with what the rule proposes at an instant. */
export async function createProposal(
  pricing: Pricing,
  { viewer, params, body: { name, parameters }, at, signal }: CreateCall,
): Promise<PriceProposalDetail> {
  const { state, indexes, readOccupancy } = pricing
  const { region_id: regionId } = params
  const index = await indexes.get(viewer.scope, regionId)
  const request = { scope: viewer.scope, at: at.getTime(), signal }
  const rows = await queryOccupancyTarget(readOccupancy, index, request, parameters)
  if (!rows.length)
    throw new Problem(
      'validation_error',
      'No curb zone has paid parking in these time bands. Choose other bands, or publish regulations with rates.',
    )
  const proposal = { regionId, name, parameters, createdBy: viewer.email, createdTime: at }
  const id = await state
    .as(viewer.scope)
    .transaction()
    .execute((store) => insertProposal(store, proposal, rows))
  return findDetail(pricing, { viewer, params: { region_id: regionId, proposal_id: id }, at })
}

/** Sets the rates of rows, excludes rows or restores them. Stores either all edits or none. */
export const editProposal = (
  pricing: Pricing,
  call: ProposalCall & Pick<Call<typeof editPriceProposal>, 'body'>,
): Promise<PriceProposalDetail> =>
  changeProposal(pricing, call, async (store, proposal) => {
    const { viewer, body, at } = call
    requireOpen(proposal)
    requireValidEdits(body.edits, await readRows(store, proposal))
    await addAct(store, proposal, { act: 'edited', email: viewer.email, at, edits: body.edits })
  })

/** Requires that edited rows exist and can get a rate. @throws Problem `validation_error`. */
function requireValidEdits(edits: readonly ProposalEdit[], rows: readonly ProposalRow[]): void {
  const rowsByKey = new Map(rows.map((row) => [makeRowKey(row), row]))
  for (const [index, edit] of edits.entries()) {
    const refuse = (field: string, message: string): never => {
      throw new Problem('validation_error', `edits.${index}.${field}: ${message}`)
    }
    const row = rowsByKey.get(makeRowKey(edit))
    if (!row) return refuse('curb_zone_id', 'The proposal has no such row.')
    if (edit.action !== 'set') continue
    if (edit.rate === null || edit.rate === undefined) refuse('rate', 'Please enter a rate.')
    if (row.current_rate === null)
      refuse('rate', 'The row has no single rate per hour that could change. Change the regulation instead.')
  }
}

/** Approves a proposal, so that its notice begins. @throws Problem `conflict` if findings are errors. */
export const approveProposal = (
  pricing: Pricing,
  call: ProposalCall & Pick<Call<typeof approvePriceProposal>, 'body'>,
): Promise<PriceProposalDetail> =>
  changeProposal(pricing, call, async (store, proposal, index) => {
    const {
      viewer: { email },
      params: { region_id: regionId },
      body,
      at,
    } = call
    requireOpen(proposal)
    if (body.version !== (proposal.acts.at(-1)?.number ?? 0))
      throw new Problem('conflict', 'Somebody edited this proposal after you opened it. Reload the page.')
    const effective = body.effective_date ?? proposal.parameters.effective_date
    const rows = await readRows(store, proposal)
    const findings = await listFindings(store, index, { proposal, rows, email, at, effective })
    const errors = findings.filter(({ severity }) => severity === 'error')
    if (errors.length)
      throw new Problem('conflict', errors.map(({ message }) => message).join(' '), undefined, findings)
    await addAct(store, proposal, {
      act: 'approved',
      email,
      at,
      note: body.note ?? null,
      effective: findFirstBandStart(proposal.parameters, effective, index.timezone),
    })
    const data = { proposal_id: proposal.id, effective_date: effective }
    await publishEvent(store, { type: 'curb.price_change.approved', regionId, data }, at)
  })

/** Withdraws an open or approved proposal. @throws Problem `conflict` if its rates are in force. */
export const withdrawProposal = (
  pricing: Pricing,
  call: ProposalCall & Pick<Call<typeof withdrawPriceProposal>, 'body'>,
): Promise<PriceProposalDetail> =>
  changeProposal(pricing, call, async (store, proposal) => {
    const { viewer, body, at } = call
    const effective = getEffectiveTime(proposal)
    if (getStatus(proposal) === 'withdrawn')
      throw new Problem('conflict', 'This proposal is withdrawn already.')
    if (getStatus(proposal) === 'in_force' || (effective !== null && effective <= at))
      throw new Problem(
        'conflict',
        'These rates are in force. Make a proposal with the former rates to change them back.',
      )
    await addAct(store, proposal, { act: 'withdrawn', email: viewer.email, at, note: body.reason })
  })

/** Runs a change of a proposal while it is locked, and returns the changed proposal. */
async function changeProposal(
  pricing: Pricing,
  call: ProposalCall,
  run: (store: Store, proposal: StoredProposal, index: CurbIndex) => Promise<void>,
): Promise<PriceProposalDetail> {
  const { state, indexes } = pricing
  const { scope } = call.viewer
  const { region_id: regionId, proposal_id: id } = call.params
  const index = await indexes.get(scope, regionId)
  await state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      await lockProposal(store, regionId, id)
      await run(store, await findProposal(store, regionId, id), index)
    })
  return findDetail(pricing, call)
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
