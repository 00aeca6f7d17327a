import { z } from 'zod'
import { CurbId } from './cds.ts'
import { PricingParameters } from './curb-pricing-parameters.ts'
import { OccupancyTargetSummary, PricingRow, rowFilter } from './curb-pricing.ts'
import { endpoint } from './endpoint.ts'
import { pageSchema, pageQuery } from './page.ts'
import { LocalDay } from './period.ts'

/**
 * Proposals of rates, from creation to publication (decision 048). A proposal is immutable: edits, exclusions
 * and steps are stored as separate rows. Rates are minor units per hour.
 */

const Rate = z.number().int().min(0).max(10_000_000)

/** Limits of rates set by the council or manager, and how rates are announced. */
export const PricingSettings = z
  .object({
    floor: Rate.nullable().default(null),
    ceiling: Rate.nullable().default(null),
    /** Maximum change of a rate per proposal. */
    max_step: Rate.nullable().default(null),
    /** Minimum number of days between two changes of a rate. */
    min_days_between: z.number().int().min(0).max(3660).nullable().default(null),
    /** Days between approval and the effective day. */
    notice_days: z.number().int().min(0).max(365).default(7),
    /** Whether a proposal must be approved by someone who neither created nor edited it. */
    needs_second_person: z.boolean().default(false),
    /** Whether the rate table is public. */
    is_public: z.boolean().default(false),
  })
  .meta({ id: 'PricingSettings' })
export type PricingSettings = z.infer<typeof PricingSettings>

export const proposalStatuses = ['open', 'approved', 'in_force', 'withdrawn'] as const
export const ProposalStatus = z.enum(proposalStatuses)
export type ProposalStatus = z.infer<typeof ProposalStatus>

/** One step of a proposal, for its history. */
export const ProposalStep = z.object({
  act: z.enum(['created', 'edited', 'approved', 'withdrawn', 'published']),
  time: z.string(),
  by_email: z.string().nullable(),
  note: z.string().nullable(),
})
export type ProposalStep = z.infer<typeof ProposalStep>

/** Objections to a proposal in its current state, with example rows. Errors prevent the approval. */
export const limitCodes = [
  'below_floor',
  'above_ceiling',
  'step_too_large',
  'too_soon',
  'notice_too_short',
  'rate_changed',
  'approved_elsewhere',
  'not_splittable',
  'no_change',
  'same_person',
  'not_public',
] as const
export const LimitFinding = z.object({
  code: z.enum(limitCodes),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  rows: z.number().int(),
  examples: z.array(
    z.object({ curb_zone_id: CurbId, shape_name: z.string(), band: z.string(), day_type: z.string() }),
  ),
  /** For `approved_elsewhere`: the other proposals, with how many of the rows and their zones each concerns. */
  proposals: z
    .array(
      z.object({
        proposal_id: z.uuid(),
        name: z.string(),
        effective_date: LocalDay,
        rows: z.number().int(),
        zones: z.number().int(),
      }),
    )
    .optional(),
})
export type LimitFinding = z.infer<typeof LimitFinding>

export const PriceProposal = z
  .object({
    proposal_id: z.uuid(),
    name: z.string(),
    status: ProposalStatus,
    effective_date: LocalDay,
    /** When the rates take effect or took effect; null until approved. */
    effective_time: z.string().nullable(),
    created_time: z.string(),
    created_by_email: z.string(),
    /** Number of rows, with and without a proposed rate. */
    rows: z.number().int(),
    /** Number of rows with a new rate, including edits. */
    changes: z.number().int(),
    edits: z.number().int(),
  })
  .meta({ id: 'PriceProposal' })
export type PriceProposal = z.infer<typeof PriceProposal>
export const PriceProposalDetail = PriceProposal.extend({
  parameters: PricingParameters,
  steps: z.array(ProposalStep),
  findings: z.array(LimitFinding),
  summary: OccupancyTargetSummary,
  /** Zones with rates that were not changed at publication, with the reason. */
  skipped: z.array(z.object({ curb_zone_id: CurbId, shape_name: z.string(), reason: z.string() })),
  /** Number of the last edit or step. An approval names it, so that nobody approves edits unseen. */
  version: z.number().int(),
}).meta({ id: 'PriceProposalDetail' })
export type PriceProposalDetail = z.infer<typeof PriceProposalDetail>

/** A row as proposed, with the last edit and the rate that would take effect. */
export const ProposalRow = PricingRow.extend({
  /** The rate that would take effect; null: the rate remains. */
  final_rate: z.number().int().nullable(),
  edit: z
    .object({
      action: z.enum(['set', 'exclude']),
      rate: Rate.nullable(),
      reason: z.string(),
      by_email: z.string(),
      time: z.string(),
    })
    .nullable(),
}).meta({ id: 'ProposalRow' })
export type ProposalRow = z.infer<typeof ProposalRow>

/** An edit of a row: sets another rate, excludes the row, or restores the proposed rate. */
export const ProposalEdit = z.object({
  curb_zone_id: CurbId,
  band: z.string().max(40),
  day_type: z.string().max(40),
  action: z.enum(['set', 'exclude', 'restore']),
  /** Required for `set`. */
  rate: Rate.nullish(),
  reason: z.string().trim().min(1, 'Please enter a reason').max(2000),
})
export type ProposalEdit = z.infer<typeof ProposalEdit>

/** A row before and after its rate took effect. */
export const EffectRow = z.object({
  curb_zone_id: CurbId,
  shape_name: z.string(),
  band: z.string(),
  day_type: z.string(),
  rate_before: z.number().int(),
  rate_after: z.number().int(),
  kind: z.string().nullable(),
  occupancy_before: z.number().nullable(),
  occupancy_after: z.number().nullable(),
  days_after: z.number().int(),
  coverage_after: z.number().nullable(),
})
export type EffectRow = z.infer<typeof EffectRow>
export const EffectReport = z
  .object({
    before: z.object({ start_date: LocalDay, end_date: LocalDay }),
    /** From the effective day to yesterday, at most as long as `before`; null: not in force yet. */
    after: z.object({ start_date: LocalDay, end_date: LocalDay }).nullable(),
    /** By direction of the change; `unchanged` rows are for comparison. Means by capacity and paid hours. */
    groups: z.array(
      z.object({
        direction: z.enum(['up', 'down', 'unchanged']),
        rows: z.number().int(),
        occupancy_before: z.number().nullable(),
        occupancy_after: z.number().nullable(),
      }),
    ),
    items: z.array(EffectRow),
  })
  .meta({ id: 'EffectReport' })
export type EffectReport = z.infer<typeof EffectReport>

/** The public table of parking rates. Times are HH:MM; rates minor units per hour. */
export const PublicRates = z
  .object({
    currency: z.string(),
    day: LocalDay,
    items: z.array(
      z.object({
        curb_zone_id: CurbId,
        shape_name: z.string(),
        lines: z.array(
          z.object({
            days: z.array(z.number().int()),
            from: z.string(),
            until: z.string(),
            rate: z.number().int().nullable(),
          }),
        ),
        /** Local day since when these rates apply. */
        since: LocalDay.nullable(),
      }),
    ),
    total: z.number().int(),
    page: z.number().int(),
    size: z.number().int(),
    /** Approved changes that are not in force yet, then past ones, newest first. */
    changes: z.array(
      z.object({
        proposal_id: z.uuid(),
        name: z.string(),
        effective_date: LocalDay,
        is_announced: z.boolean(),
        rows: z.array(
          z.object({
            curb_zone_id: CurbId,
            shape_name: z.string(),
            days: z.array(z.number().int()),
            from: z.string(),
            until: z.string(),
            rate_before: z.number().int(),
            rate_after: z.number().int(),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'PublicRates' })
export type PublicRates = z.infer<typeof PublicRates>

const regionParams = z.object({ region_id: z.string() })
const proposalParams = regionParams.extend({ proposal_id: z.uuid() })
const proposalsPath = '/regions/{region_id}/curb/price_proposals'
const settingsPath = '/regions/{region_id}/curb/pricing_settings'
const ratesQuery = z.object({ text: z.string().max(200).default(''), ...pageQuery(300, 5000) })

export const getPricingSettings = endpoint({
  route: `GET ${settingsPath}`,
  permission: 'signed_in',
  summary: 'Limits of curb rates, notice period and approval',
  request: { params: regionParams },
  response: PricingSettings,
})
export const changePricingSettings = endpoint({
  route: `PATCH ${settingsPath}`,
  permission: 'approve_curb_prices',
  summary: 'Change limits of curb rates, notice period and approval',
  request: { params: regionParams, body: PricingSettings },
  response: PricingSettings,
})
export const listPriceProposals = endpoint({
  route: `GET ${proposalsPath}`,
  permission: 'signed_in',
  summary: 'Proposals of curb rates, newest first',
  request: { params: regionParams },
  response: z.object({ items: z.array(PriceProposal) }),
})
export const createPriceProposal = endpoint({
  route: `POST ${proposalsPath}`,
  permission: 'edit_curb_regulations',
  longBody: true,
  cost: 'heavy',
  summary: 'Store what the pricing engine proposes for these parameters; it never changes afterward',
  request: {
    params: regionParams,
    body: z.object({
      name: z.string().trim().min(1, 'Please enter a value').max(200),
      parameters: PricingParameters,
    }),
  },
  response: PriceProposalDetail,
})
export const getPriceProposal = endpoint({
  route: `GET ${proposalsPath}/{proposal_id}`,
  permission: 'signed_in',
  summary: 'A proposal of curb rates with its history and the objections to it',
  request: { params: proposalParams },
  response: PriceProposalDetail,
})
export const listProposalRows = endpoint({
  route: `POST ${proposalsPath}/{proposal_id}/rows`,
  permission: 'signed_in',
  reads: true,
  summary: 'Rows of a proposal with their edits',
  request: {
    params: proposalParams,
    body: z.object({
      ...rowFilter,
      is_edited: z.boolean().nullish(),
      sort: z
        .string()
        .regex(/^[+-]?[a-z_]{1,40}$/)
        .default('+shape_name'),
      ...pageQuery(100, 5000),
    }),
  },
  response: pageSchema(ProposalRow),
})
/** All edits or none are stored. */
export const editPriceProposal = endpoint({
  route: `POST ${proposalsPath}/{proposal_id}/edit`,
  permission: 'edit_curb_regulations',
  longBody: true,
  summary: 'Set another rate for rows of an open proposal, exclude rows, or restore them, with a reason',
  request: { params: proposalParams, body: z.object({ edits: z.array(ProposalEdit).min(1).max(5000) }) },
  response: PriceProposalDetail,
})
export const approvePriceProposal = endpoint({
  route: `POST ${proposalsPath}/{proposal_id}/approve`,
  permission: 'approve_curb_prices',
  summary:
    'Approve a proposal: its notice begins, and it takes effect at the first band of the effective day',
  request: {
    params: proposalParams,
    body: z.object({
      version: z.number().int(),
      /** Default: the day in the parameters. */
      effective_date: LocalDay.nullish(),
      note: z.string().trim().max(2000).nullish(),
    }),
  },
  response: PriceProposalDetail,
})
export const withdrawPriceProposal = endpoint({
  route: `POST ${proposalsPath}/{proposal_id}/withdraw`,
  permission: 'approve_curb_prices',
  summary: 'Withdraw a proposal before it takes effect',
  request: {
    params: proposalParams,
    body: z.object({ reason: z.string().trim().min(1, 'Please enter a reason').max(2000) }),
  },
  response: PriceProposalDetail,
})
export const getEffectReport = endpoint({
  route: `GET ${proposalsPath}/{proposal_id}/effect`,
  permission: 'signed_in',
  cost: 'heavy',
  summary: 'Occupancy before and after rates took effect',
  request: { params: proposalParams },
  response: EffectReport,
})
export const getPublicRates = endpoint({
  route: 'GET /public/regions/{region_id}/curb/rates',
  permission: 'public',
  summary: 'Curb rates in force with the day since when, announced changes and past ones',
  request: { params: regionParams, query: ratesQuery },
  response: PublicRates,
})
