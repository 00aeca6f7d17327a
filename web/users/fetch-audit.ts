import { type AuditEntry, listAudit } from '#contract/users.ts'
import { call } from '#web/data/client.ts'
import type { auditAsk } from './audit-search.ts'

const size = 300

/** The most rows of one file. */
export const mostRows = 10_000

/** The newest entries that match, page by page. What is written meanwhile shifts the pages: no entry comes twice. */
export async function fetchAudit(
  filters: ReturnType<typeof auditAsk>,
  most = mostRows,
): Promise<AuditEntry[]> {
  const found = new Map<string, AuditEntry>()
  for (let page = 1; ; page++) {
    const { items, total } = await call(listAudit, { query: { ...filters, page, size } })
    for (const entry of items) found.set(entry.id, entry)
    if (items.length === 0 || page * size >= total || found.size >= most)
      return [...found.values()].slice(0, most)
  }
}
