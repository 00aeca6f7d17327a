import type { ImportRequirement } from '#contract/imports.ts'
import { Problem } from '#server/http/problem.ts'
import type { Store } from '#server/stores/state.ts'
import type { DateOrder } from '#server/table-files/read-time.ts'
import type { ImportRow } from '../read-import.ts'
import type { FileAnswers, RecognizedFile } from './file-kind.ts'

/** A user's answers about a file, as endpoints receive them. */
export interface AnswerParams {
  operator?: string | undefined
  snapshot_time?: string | undefined
  date_order?: DateOrder | undefined
  accept_outside?: boolean | undefined
}

/** Converts answers to the form in which they are stored. */
export const toFileAnswers = ({
  operator,
  snapshot_time,
  date_order,
  accept_outside,
}: AnswerParams): FileAnswers => ({
  ...(operator ? { operator } : {}),
  ...(snapshot_time ? { snapshotTime: Date.parse(snapshot_time) } : {}),
  ...(date_order ? { dateOrder: date_order } : {}),
  ...(accept_outside ? { acceptOutside: true } : {}),
})

/** Returns the hash by which a repeated file is recognized. Equal lists of vehicles of other times differ. */
export const getUploadHash = (contentHash: string, recognized: RecognizedFile | null): string =>
  recognized?.answers.snapshotTime === undefined
    ? contentHash
    : `${contentHash}@${recognized.answers.snapshotTime}`

const requirementNames: Record<ImportRequirement, string> = {
  mapping: 'the meaning of the columns',
  stations: 'the stations file',
  snapshot_time: 'the time of the snapshot',
  operator: 'the operator of the vehicles',
  date_order: 'the order of the dates',
  outside_region: 'the confirmation that rows outside the region are stored',
}
const hasAnswer: Record<ImportRequirement, (answers: FileAnswers) => boolean> = {
  mapping: () => false,
  stations: ({ stations }) => stations !== undefined,
  snapshot_time: ({ snapshotTime }) => snapshotTime !== undefined,
  operator: ({ operator }) => operator !== undefined,
  date_order: ({ dateOrder }) => dateOrder !== undefined,
  outside_region: ({ acceptOutside }) => acceptOutside === true,
}

/** Stores answers and queues a waiting file. @throws Problem `validation_error` if an answer is missing. */
export async function applyAnswers(store: Store, row: ImportRow, answers: FileAnswers): Promise<void> {
  const storedAnswers: FileAnswers = { ...(row.given as FileAnswers), ...answers }
  const missingAnswers = (row.asks as ImportRequirement[]).filter((ask) => !hasAnswer[ask](storedAnswers))
  if (missingAnswers.length)
    throw new Problem(
      'validation_error',
      `Missing: ${missingAnswers.map((ask) => requirementNames[ask]).join(', ')}.`,
    )
  await store
    .updateTable('import')
    .set({ given: JSON.stringify(storedAnswers), asks: '[]', notes: '[]', status: 'queued', problem: null })
    .where('import_id', '=', row.import_id)
    .execute()
}
