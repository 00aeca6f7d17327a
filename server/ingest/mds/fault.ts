/** What is wrong with one field of a record. */
export interface Fault {
  /** As in `location.lat`; '' for the whole record. */
  field: string
  /** What follows the field's name in a sentence, as in `is missing`. */
  reason: string
  isMissing: boolean
}

/** All faults of a record in one sentence. */
export const faultsText = (faults: readonly Fault[]): string =>
  faults.map(({ field, reason }) => `${field || 'The record'} ${reason}`).join('; ') + '.'
