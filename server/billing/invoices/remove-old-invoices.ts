import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'

/** Removes invoices and credit notes after their retention, which was fixed when they were issued. Their numbers remain. */
export async function removeOldInvoices(state: State, at: Date): Promise<void> {
  const day = at.toISOString().slice(0, 10)
  const store = state.as(systemScope)
  for (const kind of ['credit_note', 'invoice'])
    await store
      .deleteFrom('invoice')
      .where('kind', '=', kind)
      .where('retain_until', '<', day)
      // An invoice stays as long as its credit notes.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('invoice as credit')
              .select('credit.invoice_id')
              .whereRef('credit.original_id', '=', 'invoice.invoice_id'),
          ),
        ),
      )
      .execute()
}
