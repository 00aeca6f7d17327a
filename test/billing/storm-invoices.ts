// An issued invoice with approved credit notes, during whose issuing a story kills the server.
import { randomUUID } from 'node:crypto'
import type { InvoicePaymentImport } from '#contract/invoice-payments.ts'
import type { InvoiceLine, InvoiceSummary } from '#contract/invoices.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import {
  type createCaller,
  freePort,
  type ServerProcess,
  shiftedClock,
  startServer,
  untilServing,
} from '../server-process.ts'

/** The region of the invoices, and the number of the issued one. */
export const stormRegion = 'storm'
const number = 'permit-1'
export type Admin = ReturnType<typeof createCaller>

/** Starts a server; `shiftFile` contains the error of its clock in milliseconds. */
export const startOn = async (dataDir: string, shiftFile: string): Promise<ServerProcess> =>
  untilServing(
    startServer({
      DATA_DIR: dataDir,
      DEMO: 'off',
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      ...shiftedClock(shiftFile),
    }),
  )
export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const makeLine = (lineNumber: number, overrides: Partial<InvoiceLine> = {}): InvoiceLine => ({
  line: lineNumber,
  kind: 'fee',
  policy_uuid: null,
  constant_policy_uuid: null,
  policy_name: 'Permit',
  policy_type: null,
  description: `Permit ${lineNumber}`,
  start_date: '2026-01-01',
  end_date: '2026-01-31',
  quantity: '1',
  unit: 'permit',
  unit_price: null,
  amount: '1.00',
  days_without_data: [],
  tax_code: null,
  is_estimate: false,
  original: null,
  charged_before: null,
  ...overrides,
})

/** Stores the invoice, each line of 1.00, and an approved credit note for each line. */
export async function addStormInvoices(state: State, notes: number): Promise<void> {
  const at = new Date('2026-02-02T12:00:00Z')
  const invoiceId = randomUUID()
  const columns = {
    region_id: stormRegion,
    operator: 'lark',
    start_date: '2026-01-01',
    end_date: '2026-01-31',
    currency: 'USD',
    taxes: '[]',
    tax: '0',
    method_version: 1,
    created_time: at,
    prepared_by: 'clerk@storm.example',
    prepared_time: at,
  }
  const lines = Array.from({ length: notes }, (_, index) => makeLine(index + 1))
  const store = state.as(systemScope)
  await store
    .insertInto('invoice')
    .values({
      ...columns,
      invoice_id: invoiceId,
      kind: 'invoice',
      status: 'issued',
      lines: JSON.stringify(lines),
      net: String(100 * notes),
      total: String(100 * notes),
      number,
      issue_date: '2026-02-02',
      due_date: '2026-03-04',
      retain_until: '2099-12-31',
    })
    .execute()
  for (const line of lines)
    await store
      .insertInto('invoice')
      .values({
        ...columns,
        invoice_id: randomUUID(),
        kind: 'credit_note',
        status: 'approved',
        original_id: invoiceId,
        lines: JSON.stringify([
          makeLine(1, {
            kind: 'credit',
            amount: '-1.00',
            original: { invoice_id: invoiceId, number, line: line.line },
          }),
        ]),
        net: '-100',
        total: '-100',
      })
      .execute()
}

const invoices = `/v2/regions/${stormRegion}/invoices`

export const listNotes = async (admin: Admin): Promise<InvoiceSummary[]> =>
  (await admin.call<{ items: InvoiceSummary[] }>(`${invoices}?kind=credit_note&size=300&order_by=number`))
    .items

export const isOpen = (invoice: InvoiceSummary): boolean => invoice.number === null

/** Returns the sequence numbers of issued credit notes, which must be 1, 2, 3 and so on. */
export const getSequence = (found: readonly InvoiceSummary[]): number[] =>
  found.flatMap((invoice) => (invoice.number === null ? [] : [Number(/(\d+)$/.exec(invoice.number)?.[1])]))
export const countUpTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

export const issueNote = (admin: Admin, { invoice_id: id }: InvoiceSummary): Promise<unknown> =>
  admin.call(`${invoices}/${id}/issue`, 'POST')

const payments = Buffer.from(
  [
    'date,amount,reference',
    ...Array.from({ length: 400 }, (_, index) => `2026-02-03,0.01,${number} part ${index}`),
  ].join('\n'),
)

/** Imports 400 payments of a cent each. */
export const importPayments = (admin: Admin): Promise<InvoicePaymentImport> =>
  admin.call(`/v2/regions/${stormRegion}/invoice_payments/import`, 'POST', payments)

/** Issues credit notes whose concurrent issuing was rejected, and repeats the import of payments. */
export async function issueRest(admin: Admin): Promise<void> {
  for (const invoice of (await listNotes(admin)).filter(isOpen)) await issueNote(admin, invoice)
  await importPayments(admin)
}

/** Returns the invoice with the amounts that were credited and paid. */
export async function findStormInvoice(admin: Admin): Promise<InvoiceSummary | undefined> {
  const { items } = await admin.call<{ items: InvoiceSummary[] }>(`${invoices}?kind=invoice&size=300`)
  return items.find((item) => item.number === number)
}
