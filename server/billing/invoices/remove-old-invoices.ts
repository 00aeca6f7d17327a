import { systemScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'

/**
 * Removes invoices and credit notes past their retention, with their facts, unless their region has a legal
 * hold. The retention was fixed when they were issued. Their numbers remain.
 */
export async function removeOldInvoices(state: State, facts: Facts, at: Date): Promise<void> {
  const day = at.toISOString().slice(0, 10)
  const store = state.as(systemScope)
  for (const kind of ['credit_note', 'invoice']) {
    const oldInvoices = await store
      .selectFrom('invoice')
      .select('invoice_id')
      .where('kind', '=', kind)
      .where('retain_until', '<', day)
      // An invoice is retained until all of its credit notes are removed.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('invoice as credit')
              .select('credit.invoice_id')
              .whereRef('credit.original_id', '=', 'invoice.invoice_id'),
          ),
        ),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('retention_hold')
              .select('hold_id')
              .whereRef('retention_hold.region_id', '=', 'invoice.region_id')
              .where('released_time', 'is', null),
          ),
        ),
      )
      .execute()
    const ids = oldInvoices.map((row) => row.invoice_id)
    if (!ids.length) continue
    await store.deleteFrom('invoice').where('invoice_id', 'in', ids).execute()
    await facts.remove(systemScope, 'invoice_facts', sql`invoice_id in ${bind('Array(UUID)', ids)}`)
  }
}
