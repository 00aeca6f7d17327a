import Papa from 'papaparse'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts, sql } from '#server/stores/sql.ts'
import { fileReasons } from './files/file-reasons.ts'
import { setAsideReasons } from './trip-row.ts'

interface Row {
  line: string
  reason: string
  detail: string
  raw: string
}

const reasonTexts: Readonly<Record<string, string>> = { ...fileReasons, ...setAsideReasons }

/** Rows read at once, so that a million of them take little memory. */
const atOnce = 20_000

/** The set-aside rows of an import as CSV: line, reason, what was found, and the row as it came (without what is personal). */
export async function* setAsideCsv(store: Facts, scope: Scope, importId: string): AsyncGenerator<string> {
  yield 'line,reason,found,row\r\n'
  for (let after = 0; ; ) {
    const rows = await store.rows<Row>(scope, sql`select line, reason, detail, raw from ${facts('set_aside_rows')} where import_id = ${bind('UUID', importId)} and line > ${bind('UInt64', after)} order by line limit ${bind('UInt32', atOnce)}`)
    if (!rows.length) return
    yield Papa.unparse(rows.map((row) => [row.line, reasonTexts[row.reason] ?? row.reason, row.detail, ...(JSON.parse(row.raw) as string[])]), { escapeFormulae: /^[=+@\t\r]|^-(?!\d)/ }) + '\r\n'
    after = Number(rows.at(-1)?.line)
  }
}
