import type { ImportRequirement } from '#contract/imports.ts'
import { Problem } from '#server/http/problem.ts'
import type { Store } from '#server/stores/state.ts'
import type { ImportRow } from '../read-import.ts'
import type { DateOrder } from '#server/table-files/read-time.ts'
import type { FileGiven, Recognized } from './file-kind.ts'

/** Answers of a user about a file, as endpoints receive them. */
export interface Answers {
  operator?: string | undefined
  snapshot_time?: string | undefined
  date_order?: DateOrder | undefined
  accept_outside?: boolean | undefined
}

/** Answers in the form that is stored. */
export const storedAnswers = ({
  operator,
  snapshot_time,
  date_order,
  accept_outside,
}: Answers): FileGiven => ({
  ...(operator ? { operator } : {}),
  ...(snapshot_time ? { snapshotTime: Date.parse(snapshot_time) } : {}),
  ...(date_order ? { dateOrder: date_order } : {}),
  ...(accept_outside ? { acceptOutside: true } : {}),
})

/** Files with the same content are the same, except vehicles at another moment. */
export const contentHashOf = (contentHash: string, recognized: Recognized | null): string =>
  recognized?.given.snapshotTime === undefined
    ? contentHash
    : `${contentHash}@${recognized.given.snapshotTime}`

const words: Record<ImportRequirement, string> = {
  mapping: 'the meaning of the columns',
  stations: 'the stations file',
  snapshot_time: 'the time of the snapshot',
  operator: 'the operator of the vehicles',
  date_order: 'the order of the dates',
  outside_region: 'the confirmation that rows outside the region are stored',
}
const hasAnswer: Record<ImportRequirement, (given: FileGiven) => boolean> = {
  mapping: () => false,
  stations: ({ stations }) => stations !== undefined,
  snapshot_time: ({ snapshotTime }) => snapshotTime !== undefined,
  operator: ({ operator }) => operator !== undefined,
  date_order: ({ dateOrder }) => dateOrder !== undefined,
  outside_region: ({ acceptOutside }) => acceptOutside === true,
}

/** Queues a waiting file once everything is answered. */
export async function applyAnswers(store: Store, row: ImportRow, answers: FileGiven): Promise<void> {
  const given: FileGiven = { ...(row.given as FileGiven), ...answers }
  const missing = (row.asks as ImportRequirement[]).filter((each) => !hasAnswer[each](given))
  if (missing.length)
    throw new Problem('validation_error', `Missing: ${missing.map((each) => words[each]).join(', ')}.`)
  await store
    .updateTable('import')
    .set({ given: JSON.stringify(given), asks: '[]', notes: '[]', status: 'queued', problem: null })
    .where('import_id', '=', row.import_id)
    .execute()
}
