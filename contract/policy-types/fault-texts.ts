import type { PolicyFault } from './policy-type.ts'

/** What is said of a fault, in English (1-product, section 5, where it has a text). */
export const faultTexts: Record<PolicyFault, string> = {
  required: 'Please enter a value',
  // Of a trip fee's value: it is required, but nothing is said.
  required_silently: '',
  whole_hours: "Policy only supports hour increments. Minutes must be ':00'",
  same_times: 'Start and end time must differ',
  integer: 'Please enter a whole number that is not negative',
  minimum_over_maximum: 'The minimum is over the maximum',
  percent: 'Please enter a percentage from 0 to 100',
  amount: 'Please enter an amount that the currency can pay',
  one_row: 'The price table needs at least one row',
  times_overlap: 'The times of a day overlap',
  durations_overlap: 'The durations overlap or leave a gap',
  duration_order: 'A duration must end after it starts',
}
