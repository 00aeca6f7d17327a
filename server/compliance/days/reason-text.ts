import { type ComplianceMeasure, type ComplianceRecord, measureNames } from '#contract/compliance.ts'

export const number = (value: number): string => String(Math.round(value * 100) / 100)

/** A number of what is measured. */
export function counted(
  measure: ComplianceMeasure,
  value: number,
  names: Readonly<Record<ComplianceMeasure, { one: string; other: string }>> = measureNames,
): string {
  const text = number(value)
  const { one, other } = names[measure]
  return `${text} ${text === '1' ? one : other}`
}

/** The status of a record in an English sentence. */
export function reasonText({
  reason_code: code,
  measure,
  measured,
  minimum,
  maximum,
  violations,
  uncertain,
  gap_hours: gaps,
  provisional,
}: Omit<ComplianceRecord, 'reason'>): string {
  const uncertainText = uncertain
    ? ` ${uncertain} of them uncertain: nearer to the border than their accuracy.`
    : ''
  const soFar = provisional ? ' so far' : ''
  const value = measured === null ? '' : counted(measure, measured)
  switch (code) {
    case 'within':
      return `${value}: within ${[minimum === null ? '' : `at least ${number(minimum)}`, maximum === null ? '' : `at most ${number(maximum)}`].filter(Boolean).join(' and ')}.`
    case 'over_maximum':
      return `${value}${soFar}: over the maximum of ${number(maximum ?? 0)}.`
    case 'under_minimum':
      return `${value}: under the minimum of ${number(minimum ?? 0)}.`
    case 'found':
      return `${counted(measure, violations)}${soFar}.${uncertainText}`
    case 'none_found':
      return `Nothing found${soFar} that breaks the policy.${uncertainText}`
    case 'not_in_force':
      return 'The policy was not in force.'
    case 'not_on_this_day':
      return 'The policy does not hold on this day.'
    case 'no_feed':
      return "The operator's feed sent no data for this day."
    case 'data_gap':
      return `The operator's feed has no data of ${gaps} ${gaps === 1 ? 'hour' : 'hours'} that usually have some.`
    case 'nothing_to_measure':
      return 'There was nothing to measure.'
    case 'no_fleet':
      return 'The operator had no vehicle on the street, so that nothing was short.'
    case 'no_limit':
      return 'The policy sets no limit.'
    case 'day_goes_on':
      return measured === null ? 'The day has not begun to count.' : `The day goes on: ${value} so far.`
  }
}
