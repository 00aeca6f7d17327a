import type { Issue } from '#contract/issues.ts'

/** Columns of every issue; fields of districts come after them. Times in UTC, `resolution_time` in hours. */
export const issueCsvColumns = [
  'id',
  'source',
  'service_code',
  'service_name',
  'status',
  'source_status',
  'requested_time',
  'updated_time',
  'closed_time',
  'resolution_time',
  'address',
  'lat',
  'lon',
  'description',
  'first_seen_time',
] as const satisfies readonly (keyof Issue)[]

/** Texts come from people and from other systems: one that a spreadsheet would run as a formula is made text. */
function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const issueCsvLine = (issue: Issue, districts: readonly string[]): string =>
  `${[...issueCsvColumns.map((column) => issue[column]), ...districts.map((name) => issue.districts[name])].map(cell).join(',')}\n`
