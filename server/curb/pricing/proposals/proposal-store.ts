import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import {
  PricingSettings,
  type ProposalEdit,
  type ProposalRow,
  type ProposalStatus,
} from '#contract/curb-price-proposals.ts'
import type { PricingParameters } from '#contract/curb-pricing-parameters.ts'
import type { PricingCell, PricingRow } from '#contract/curb-pricing.ts'
import { Problem } from '#server/http/problem.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { toCellKey } from '../zone-rates.ts'
import type { Store } from '#server/stores/state.ts'

type ActRow = Selectable<StateTables['curb_price_act']>
export type Act = 'created' | 'edited' | 'approved' | 'withdrawn' | 'published'
/** A zone that retained its rates when a proposal was published. */
export interface SkippedZone {
  curb_zone_id: string
  shape_name: string
  reason: string
}

/** A proposal with the acts of its history; its rows are read separately. */
export interface StoredProposal {
  id: string
  regionId: string
  name: string
  parameters: PricingParameters
  rowCount: number
  createdBy: string
  createdTime: Date
  /** Oldest first. */
  acts: readonly ActRow[]
}

/** Columns of rows that describe the zone; the others describe the cell. */
const zoneColumns = ['shape_name', 'street_name', 'street_side', 'bbox'] as const
type ZoneColumns = Pick<PricingRow, (typeof zoneColumns)[number]>

const zonesPerInsert = 1000

/** Stores a proposal with its rows, which never change afterward. Returns its id. */
export async function insertProposal(
  store: Store,
  proposal: Pick<StoredProposal, 'regionId' | 'name' | 'parameters' | 'createdBy' | 'createdTime'>,
  rows: readonly PricingRow[],
): Promise<string> {
  const { regionId, name, parameters, createdBy, createdTime } = proposal
  const id = randomUUID()
  await store
    .insertInto('curb_price_proposal')
    .values({
      proposal_id: id,
      region_id: regionId,
      name,
      parameters: JSON.stringify(parameters),
      row_count: rows.length,
      created_by: createdBy,
      created_time: createdTime,
    })
    .execute()
  const zones = new Map<string, { zone: ZoneColumns; cells: PricingCell[] }>()
  for (const { curb_zone_id: zoneId, shape_name, street_name, street_side, bbox, ...cell } of rows) {
    const zoneCells = zones.get(zoneId) ?? { zone: { shape_name, street_name, street_side, bbox }, cells: [] }
    zoneCells.cells.push(cell)
    zones.set(zoneId, zoneCells)
  }
  const values = [...zones].map(([zoneId, { zone, cells }]) => ({
    proposal_id: id,
    region_id: regionId,
    curb_zone_id: zoneId,
    zone: JSON.stringify(zone),
    cells: JSON.stringify(cells),
  }))
  for (let start = 0; start < values.length; start += zonesPerInsert)
    await store
      .insertInto('curb_price_row')
      .values(values.slice(start, start + zonesPerInsert))
      .execute()
  return id
}

interface NewAct {
  act: Act
  email: string | null
  at: Date
  edits?: readonly ProposalEdit[]
  skipped?: readonly SkippedZone[]
  note?: string | null
  effective?: Date | null
}

/** Adds an act to the history of a proposal. If two concurrent calls add the same number, one fails. */
export async function addAct(
  store: Store,
  { id, regionId, acts }: Pick<StoredProposal, 'id' | 'regionId' | 'acts'>,
  { act, email, at, edits, skipped, note, effective }: NewAct,
): Promise<void> {
  await store
    .insertInto('curb_price_act')
    .values({
      proposal_id: id,
      region_id: regionId,
      number: (acts.at(-1)?.number ?? 0) + 1,
      act,
      edits: edits ? JSON.stringify(edits) : null,
      skipped: skipped ? JSON.stringify(skipped) : null,
      note: note ?? null,
      effective_time: effective ?? null,
      act_by: email,
      act_time: at,
    })
    .execute()
}

/** Reads the proposals of a region, newest first; with `proposalId` only that one. */
export async function readProposals(
  store: Store,
  regionId: string,
  proposalId?: string,
): Promise<StoredProposal[]> {
  const rows = await store
    .selectFrom('curb_price_proposal')
    .selectAll()
    .where('region_id', '=', regionId)
    .$if(proposalId !== undefined, (query) => query.where('proposal_id', '=', proposalId ?? ''))
    .orderBy('created_time', 'desc')
    .orderBy('proposal_id')
    .execute()
  if (!rows.length) return []
  const acts = await store
    .selectFrom('curb_price_act')
    .selectAll()
    .where('region_id', '=', regionId)
    .$if(proposalId !== undefined, (query) => query.where('proposal_id', '=', proposalId ?? ''))
    .orderBy('number')
    .execute()
  return rows.map((row) => ({
    id: row.proposal_id,
    regionId,
    name: row.name,
    parameters: row.parameters as PricingParameters,
    rowCount: row.row_count,
    createdBy: row.created_by,
    createdTime: row.created_time,
    acts: acts.filter((act) => act.proposal_id === row.proposal_id),
  }))
}

/** Finds the proposal with an id. @throws Problem `not_found`. */
export async function findProposal(
  store: Store,
  regionId: string,
  proposalId: string,
): Promise<StoredProposal> {
  const [proposal] = await readProposals(store, regionId, proposalId)
  if (!proposal) throw new Problem('not_found', 'There is no such proposal of rates.')
  return proposal
}

/** Returns the status of a proposal, from the acts of its history. */
export function getStatus({ acts }: Pick<StoredProposal, 'acts'>): ProposalStatus {
  const actTypes = new Set(acts.map(({ act }) => act))
  if (actTypes.has('withdrawn')) return 'withdrawn'
  if (actTypes.has('published')) return 'in_force'
  return actTypes.has('approved') ? 'approved' : 'open'
}

/** Returns when the rates take effect according to the approval or publication; null before. */
export const getEffectiveTime = ({ acts }: Pick<StoredProposal, 'acts'>): Date | null =>
  acts.findLast((act) => act.effective_time !== null)?.effective_time ?? null

/** Returns zones that retained their rates when the proposal was published. */
export const getSkippedZones = ({ acts }: Pick<StoredProposal, 'acts'>): SkippedZone[] =>
  acts.flatMap(({ skipped }) => (skipped as SkippedZone[] | null) ?? [])

/** Returns the email addresses of the users who created or edited a proposal. */
export const getAuthors = ({ createdBy, acts }: StoredProposal): Set<string | null> =>
  new Set([createdBy, ...acts.filter(({ act }) => act === 'edited').map((act) => act.act_by)])

/** Returns the key of a row of a proposal: its zone, time band and day type. */
export const makeRowKey = (row: Pick<ProposalEdit, 'curb_zone_id' | 'band' | 'day_type'>): string =>
  `${row.curb_zone_id} ${toCellKey(row.band, row.day_type)}`

/** Returns the last edit of each row, without rows that were restored afterward. */
function getEdits({ acts }: StoredProposal): Map<string, NonNullable<ProposalRow['edit']>> {
  const edits = new Map<string, NonNullable<ProposalRow['edit']>>()
  for (const { edits: editsOfAct, act_by: email, act_time: time } of acts)
    for (const edit of (editsOfAct as ProposalEdit[] | null) ?? [])
      if (edit.action === 'restore') edits.delete(makeRowKey(edit))
      else
        edits.set(makeRowKey(edit), {
          action: edit.action,
          rate: edit.rate ?? null,
          reason: edit.reason,
          by_email: email ?? '',
          time: time.toISOString(),
        })
  return edits
}

export const countEdits = (proposal: StoredProposal): number => getEdits(proposal).size

/** Reads the rows of a proposal with edits, by zone. `final_rate` is null if excluded or unknown. */
export async function readRows(store: Store, proposal: StoredProposal): Promise<ProposalRow[]> {
  const edits = getEdits(proposal)
  const rows = await store
    .selectFrom('curb_price_row')
    .select(['curb_zone_id', 'zone', 'cells'])
    .where('region_id', '=', proposal.regionId)
    .where('proposal_id', '=', proposal.id)
    .orderBy('curb_zone_id')
    .execute()
  return rows.flatMap(({ curb_zone_id, zone, cells }) =>
    (cells as PricingCell[]).map((cell): ProposalRow => {
      const row = { curb_zone_id, ...(zone as ZoneColumns), ...cell }
      const edit = edits.get(makeRowKey(row)) ?? null
      const editedRate = edit?.action === 'set' ? edit.rate : null
      return { ...row, final_rate: edit ? editedRate : cell.proposed_rate, edit }
    }),
  )
}

/** A row with a final rate other than the current one. */
export type ChangedRow = ProposalRow & { current_rate: number; final_rate: number }

/** Finds the rows with rates that would change. */
export const findChangedRows = (rows: readonly ProposalRow[]): ChangedRow[] =>
  rows.filter(
    (row): row is ChangedRow =>
      row.current_rate !== null && row.final_rate !== null && row.current_rate !== row.final_rate,
  )

export async function readPricingSettings(store: Store, regionId: string): Promise<PricingSettings> {
  const row = await store
    .selectFrom('curb_pricing_settings')
    .select('settings')
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  return PricingSettings.parse(row?.settings ?? {})
}

export async function writePricingSettings(
  store: Store,
  regionId: string,
  settings: PricingSettings,
): Promise<PricingSettings> {
  const text = JSON.stringify(settings)
  await store
    .insertInto('curb_pricing_settings')
    .values({ region_id: regionId, settings: text })
    .onConflict((conflict) => conflict.column('region_id').doUpdateSet({ settings: text }))
    .execute()
  return settings
}
