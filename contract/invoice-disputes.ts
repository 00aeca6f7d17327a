import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { DecimalText } from './fees.ts'
import { nameSchema } from './names.ts'

/** Maximum bytes of a file in a dispute. */
export const maxEvidenceBytes = 5 * 1024 * 1024

/** Maximum length of a text in a dispute. */
export const maxDisputeText = 5000

/** `accepted`: a credit note was drafted. */
export const disputeStates = ['open', 'accepted', 'declined', 'withdrawn'] as const
export const DisputeState = z.enum(disputeStates)
export type DisputeState = z.infer<typeof DisputeState>

const Text = z.string().trim().min(1).max(maxDisputeText)

/** A step of a dispute: an added text or file, or its end. */
export const DisputeMessage = z
  .object({
    message_id: z.uuid(),
    at: z.iso.datetime(),
    /** Email address. */
    by: z.string(),
    /** Whether the author is a user of the operator, rather than of the city. */
    is_operator: z.boolean(),
    step: z.enum(['opened', 'message', 'file', 'accepted', 'declined', 'withdrawn']),
    text: z.string(),
    file: z.object({ name: z.string(), bytes: z.number().int(), sha256: z.string() }).nullable(),
  })
  .meta({ id: 'DisputeMessage' })
export type DisputeMessage = z.infer<typeof DisputeMessage>

export const Dispute = z
  .object({
    dispute_id: z.uuid(),
    invoice_id: z.uuid(),
    /** Number of the invoice. */
    number: z.string(),
    operator: z.string(),
    line: z.number().int(),
    description: z.string(),
    state: DisputeState,
    reason: z.string(),
    currency: z.string(),
    /** Disputed amount, at most the part of the line that is not credited. */
    amount: DecimalText,
    opened_time: z.iso.datetime(),
    closed_time: z.iso.datetime().nullable(),
    /** The credit note that was drafted when the dispute was accepted. */
    credit_note_id: z.uuid().nullable(),
    messages: z.array(DisputeMessage),
  })
  .meta({ id: 'Dispute' })
export type Dispute = z.infer<typeof Dispute>

const regionParams = z.object({ region_id: z.string() })
const invoiceParams = regionParams.extend({ invoice_id: z.uuid() })
const disputeParams = invoiceParams.extend({ dispute_id: z.uuid() })
const disputesPath = '/regions/{region_id}/invoices/{invoice_id}/disputes' as const
const onePath = `${disputesPath}/{dispute_id}` as const

export const listDisputes = endpoint({
  route: 'GET /regions/{region_id}/invoice_disputes',
  permission: 'signed_in',
  summary: 'Disputes of invoices, newest first',
  request: {
    params: regionParams,
    query: z.object({ state: DisputeState.optional(), operator: z.string().optional() }),
  },
  response: z.object({ items: z.array(Dispute) }),
})
export const openDispute = endpoint({
  route: `POST ${disputesPath}`,
  permission: 'signed_in',
  changesOwnData: true,
  summary:
    'Dispute a line of an issued invoice. Users of the operator may, and users of the city with `draft_invoices` for it. Without an amount, what is left of the line',
  request: {
    params: invoiceParams,
    body: z.object({
      line: z.number().int().min(1),
      reason: Text,
      amount: DecimalText.nullable().default(null),
    }),
  },
  response: Dispute,
})
export const addDisputeMessage = endpoint({
  route: `POST ${onePath}/messages`,
  permission: 'signed_in',
  changesOwnData: true,
  summary: 'Add a message to an open dispute',
  request: { params: disputeParams, body: z.object({ text: Text }) },
  response: Dispute,
})
export const addDisputeFile = endpoint({
  route: `POST ${onePath}/files`,
  prefixes: ['/v2'],
  permission: 'signed_in',
  changesOwnData: true,
  summary: 'Add a file of at most 5 MB to an open dispute',
  request: {
    params: disputeParams,
    query: z.object({ file_name: nameSchema(120) }),
    body: { media: 'application/octet-stream' },
  },
  response: Dispute,
})
export const getDisputeFile = endpoint({
  route: `GET ${onePath}/files/{message_id}`,
  permission: 'signed_in',
  summary: 'A file of a dispute',
  request: { params: disputeParams.extend({ message_id: z.uuid() }) },
  response: { media: 'application/octet-stream' },
})
export const withdrawDispute = endpoint({
  route: `POST ${onePath}/withdraw`,
  permission: 'signed_in',
  changesOwnData: true,
  summary: 'Withdraw an open dispute',
  request: {
    params: disputeParams,
    body: z.object({ text: z.string().trim().max(maxDisputeText).default('') }),
  },
  response: Dispute,
})
export const decideDispute = endpoint({
  route: `POST ${onePath}/decide`,
  permission: 'approve_invoices',
  summary: 'Accept an open dispute, which drafts a credit note of the line, or decline it',
  request: {
    params: disputeParams,
    body: z.object({
      decision: z.enum(['accepted', 'declined']),
      text: Text,
      /** Amount to credit; null: the disputed amount. */
      amount: DecimalText.nullable().default(null),
    }),
  },
  response: Dispute,
})
