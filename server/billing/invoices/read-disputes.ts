import type { Dispute, DisputeMessage, DisputeState } from '#contract/invoice-disputes.ts'
import type { Scope } from '#server/stores/scope.ts'
import { parseLines, formatSigned, selectVisibleInvoices } from './invoice-store.ts'
import type { Store } from '#server/stores/state.ts'

/** Limits disputes. Omitted fields do not limit. */
interface DisputeFilter {
  invoiceId?: string | undefined
  disputeId?: string | undefined
  operator?: string | undefined
  state?: DisputeState | undefined
}

type MessageRow = Awaited<ReturnType<typeof findMessages>>[number]

/** Finds the messages of disputes in order, without the content of files. */
const findMessages = (store: Store, disputeIds: readonly string[]) =>
  store
    .selectFrom('invoice_dispute_message')
    .select([
      'message_id',
      'dispute_id',
      'at',
      'by_email',
      'is_operator',
      'step',
      'text',
      'file_name',
      'file_bytes',
      'file_sha256',
    ])
    .where('dispute_id', 'in', disputeIds)
    .orderBy('number')
    .execute()

const toDisputeMessage = (row: MessageRow, isCity: boolean): DisputeMessage => ({
  message_id: row.message_id,
  at: row.at.toISOString(),
  // Operators do not see names of the city's staff.
  by: isCity || row.is_operator ? row.by_email : '',
  is_operator: row.is_operator,
  step: row.step as DisputeMessage['step'],
  text: row.text,
  file:
    row.file_name === null
      ? null
      : { name: row.file_name, bytes: row.file_bytes ?? 0, sha256: row.file_sha256 ?? '' },
})

/** Reads disputes of invoices that the Scope may see, newest first, with their messages. */
export async function readDisputes(
  store: Store,
  scope: Scope,
  regionId: string,
  { invoiceId, disputeId, operator, state }: DisputeFilter,
): Promise<Dispute[]> {
  let query = store
    .selectFrom('invoice_dispute')
    .selectAll()
    .where('region_id', '=', regionId)
    .orderBy('opened_time', 'desc')
    .orderBy('dispute_id')
  if (invoiceId !== undefined) query = query.where('invoice_id', '=', invoiceId)
  if (disputeId !== undefined) query = query.where('dispute_id', '=', disputeId)
  if (state !== undefined) query = query.where('state', '=', state)
  const rows = await query.execute()
  if (!rows.length) return []
  const invoiceIds = rows.map((row) => row.invoice_id)
  const invoices = await selectVisibleInvoices(store, scope, regionId, operator)
    .select(['invoice_id', 'number', 'operator', 'currency', 'lines'])
    .where('invoice_id', 'in', invoiceIds)
    .execute()
  const invoicesById = new Map(invoices.map((invoice) => [invoice.invoice_id, invoice]))
  const disputeIds = rows.map((row) => row.dispute_id)
  const messages = await findMessages(store, disputeIds)
  return rows.flatMap((row): Dispute[] => {
    const invoice = invoicesById.get(row.invoice_id)
    if (!invoice) return []
    return [
      {
        dispute_id: row.dispute_id,
        invoice_id: row.invoice_id,
        number: invoice.number ?? '',
        operator: invoice.operator,
        line: row.line,
        description: parseLines(invoice).find(({ line }) => line === row.line)?.description ?? '',
        state: row.state as DisputeState,
        reason: row.reason,
        currency: invoice.currency,
        amount: formatSigned(row.amount, invoice.currency),
        opened_time: row.opened_time.toISOString(),
        closed_time: row.closed_time?.toISOString() ?? null,
        credit_note_id: row.credit_note_id,
        messages: messages
          .filter((message) => message.dispute_id === row.dispute_id)
          .map((message) => toDisputeMessage(message, !scope.operators)),
      },
    ]
  })
}
