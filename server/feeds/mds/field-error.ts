/** An error in one field of a record. */
export interface FieldError {
  /** A path such as `location.lat`; '' for the record itself. */
  field: string
  /** The rest of a sentence that begins with the field's name, such as `is missing`. */
  reason: string
  isMissing: boolean
}

/** Describes all errors of a record in one sentence. */
export const describeErrors = (errors: readonly FieldError[]): string =>
  errors.map(({ field, reason }) => `${field || 'The record'} ${reason}`).join('; ') + '.'
