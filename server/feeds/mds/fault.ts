/** An error in one field of a record. */
export interface Fault {
  /** A path such as `location.lat`; '' for the whole record. */
  field: string
  /** The part of the sentence after the field's name, such as `is missing`. */
  reason: string
  isMissing: boolean
}

/** All faults of a record in one sentence. */
export const faultsText = (faults: readonly Fault[]): string =>
  faults.map(({ field, reason }) => `${field || 'The record'} ${reason}`).join('; ') + '.'
