import { type ComplianceMeasure, type ComplianceRecord, measureNames } from '#contract/compliance.ts'

/** Formats a number rounded to two decimals. */
export const formatNumber = (value: number): string => String(Math.round(value * 100) / 100)

/** Formats a value with the name of what is measured, such as `2 vehicles`. */
export function formatCount(measure: ComplianceMeasure, value: number, language: 'en' | 'es' = 'en'): string {
  const text = formatNumber(value)
  const { one, other } = measureNames[measure][language]
  return `${text} ${text === '1' ? one : other}`
}

/** Explains the status of a record in an English sentence. */
export function describeReason({
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
  const atLeast = minimum === null ? null : `at least ${formatNumber(minimum)}`
  const atMost = maximum === null ? null : `at most ${formatNumber(maximum)}`
  const value = measured === null ? '' : formatCount(measure, measured)
  switch (code) {
    case 'within':
      return `${value}: within ${[atLeast, atMost].filter(Boolean).join(' and ')}.`
    case 'over_maximum':
      return `${value}${soFar}: over the maximum of ${formatNumber(maximum ?? 0)}.`
    case 'under_minimum':
      return `${value}: under the minimum of ${formatNumber(minimum ?? 0)}.`
    case 'found':
      return `${formatCount(measure, violations)}${soFar}.${uncertainText}`
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
      return 'The operator had no vehicle on the street, so there was no shortfall.'
    case 'no_limit':
      return 'The policy sets no limit.'
    case 'day_goes_on':
      return measured === null
        ? 'Measurement of this day has not started.'
        : `Day in progress: ${value} so far.`
  }
}
