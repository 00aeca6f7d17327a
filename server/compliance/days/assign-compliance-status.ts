import {
  type ComplianceMeasure,
  complianceMethodVersion,
  type ComplianceReason,
  type ComplianceRecord,
  type ComplianceStatus,
  measureNames,
} from '#contract/compliance.ts'
import { rounded } from '../bounds.ts'
import { needsTripsOnly, type DayShape, type DayRule } from './day-rule.ts'
import type { DayWindow } from './day-windows.ts'
import type { FeedCoverage } from './feed-coverage.ts'
import type { MeasuredDay } from './measure-days.ts'
import { wholeFleet } from './measures/fleet-in-shape.ts'
import { findMeasureType } from './measures/list.ts'
import type { MeasureKind, MeasureOf } from './measures/measure-type.ts'
import type { DayFigure } from './measuring.ts'
import { reasonText } from './reason-text.ts'

/** What a judgment depends on besides the measured days. */
export interface Judging {
  rule: DayRule
  /** The name of the whole region. */
  regionName: string
  coverage: FeedCoverage
  operators: readonly string[]
  countsUncertain: boolean
  /** Ms since 1970. */
  now: number
}

/** The judgment of one day, operator and shape. */
interface Judged {
  status: ComplianceStatus
  reason_code: ComplianceReason
  measured: number | null
  violations: number
  provisional: boolean
}

/** Returns the name of a rule's measure. */
export const measureName = ({ measure }: Pick<DayRule, 'measure'>): ComplianceMeasure =>
  findMeasureType(measure).name(measure as MeasureOf<MeasureKind>)

function toStatus(code: ComplianceReason): ComplianceStatus {
  switch (code) {
    case 'within':
    case 'none_found':
      return 'compliant'
    case 'over_maximum':
    case 'under_minimum':
    case 'found':
      return 'non_compliant'
    default:
      return 'not_applicable'
  }
}

const judgment = (
  code: ComplianceReason,
  measured: number | null,
  violations = 0,
  provisional = false,
): Judged => ({ status: toStatus(code), reason_code: code, measured, violations, provisional })

/** Compares a measured value with the limits of a rule. */
function judgeBounds(
  rule: DayRule,
  figure: DayFigure | undefined,
  isPresent: boolean,
  isUnfinished: boolean,
): Judged {
  const { minimum, maximum } = rule.policy
  const type = findMeasureType(rule.measure)
  const cannotRecover = type.cannotRecover?.(rule.measure as MeasureOf<MeasureKind>) ?? false
  if (!figure && !type.isZeroWithoutFigure) return judgment('nothing_to_measure', null)
  const measured = rounded(figure?.measured ?? 0)
  if (minimum === null && maximum === null) return judgment('no_limit', measured)
  if (maximum !== null && measured > maximum && (!isUnfinished || cannotRecover))
    return judgment('over_maximum', measured, 1, isUnfinished)
  if (isUnfinished) return judgment('day_goes_on', measured, 0, true)
  if (minimum !== null && measured < minimum)
    return isPresent ? judgment('under_minimum', measured, 1) : judgment('no_fleet', measured)
  return judgment('within', measured)
}

/** Judges a rule by its number of violations. */
function judgeCount(
  rule: DayRule,
  figure: DayFigure | undefined,
  countsUncertain: boolean,
  isUnfinished: boolean,
): Judged {
  if (findMeasureType(rule.measure).needsMaximum && rule.policy.maximum === null)
    return judgment('no_limit', null)
  const measured = figure?.measured ?? 0
  const violations = measured - (countsUncertain ? 0 : (figure?.uncertain ?? 0))
  const provisional = isUnfinished || (figure?.open ?? false)
  if (violations > 0) return judgment('found', measured, violations, provisional)
  return isUnfinished
    ? judgment('day_goes_on', measured, 0, true)
    : judgment('none_found', measured, 0, provisional)
}

/**
 * Finds the reason why a day is not applicable regardless of what was measured; null if it is applicable. A
 * day without feed data is never compliant (docs/metrics.md).
 */
function findInapplicability(
  { rule, coverage, now }: Judging,
  window: DayWindow,
  operator: string,
): { code: ComplianceReason; gaps: number } | null {
  if (window.emptyReason) return { code: window.emptyReason, gaps: 0 }
  if (window.from >= now) return { code: 'day_goes_on', gaps: 0 }
  if (!coverage.hasAny(operator, window.day, needsTripsOnly(rule))) return { code: 'no_feed', gaps: 0 }
  const gaps = coverage.gapHours(operator, window)
  return gaps ? { code: 'data_gap', gaps } : null
}

/** Returns the name of the place of a rule that does not evaluate each shape separately. */
function getCombinedName({ shapes, places }: DayRule, regionName: string): string {
  const [first] = shapes
  if (places !== 'union' || !first?.shapeId) return regionName
  return shapes.length === 1 ? first.name : 'All shapes'
}

/** Returns the records of measured days, one per operator and shape, in order of day, operator and shape. */
export function assignComplianceStatus(
  judging: Judging,
  windows: readonly DayWindow[],
  days: readonly MeasuredDay[],
): ComplianceRecord[] {
  const { rule, operators, countsUncertain, now, regionName } = judging
  const { measure, policy } = rule
  const shapes: readonly { number: number; shape: DayShape | null }[] =
    rule.places === 'each'
      ? rule.shapes.map((shape, index) => ({ number: index + 1, shape }))
      : [{ number: 0, shape: null }]
  const combinedName = getCombinedName(rule, regionName)
  const name = measureName(rule)
  const isCounted = !measureNames[name].isBounded
  return windows.flatMap((window, index) => {
    const day = days[index]
    const figures = new Map(
      day?.figures.map((figure) => [`${figure.shape} ${figure.operator}`, { ...figure, day: index }]),
    )
    const present = day?.present ? new Set(day.present) : null
    return operators.flatMap((operator) => {
      const inapplicable = findInapplicability(judging, window, operator)
      const isUnfinished = window.until > now
      const isPresent = present?.has(operator) ?? true
      const isShareWithoutFleet =
        measure.kind === 'fleet_in_shape' && measure.share && !figures.has(`${wholeFleet} ${operator}`)
      return shapes.map(({ number, shape }): ComplianceRecord => {
        const figure = figures.get(`${number} ${operator}`)
        const judged = isCounted
          ? judgeCount(rule, figure, countsUncertain, isUnfinished)
          : isShareWithoutFleet
            ? judgment(policy.minimum !== null && !isPresent ? 'no_fleet' : 'nothing_to_measure', null)
            : judgeBounds(rule, figure, isPresent, isUnfinished)
        const isKnown = !inapplicable || (figure !== undefined && inapplicable.code === 'data_gap')
        const outcome: Judged = inapplicable
          ? {
              ...judgment(inapplicable.code, isKnown ? judged.measured : null),
              violations: isKnown && isCounted ? judged.violations : 0,
              provisional: inapplicable.code === 'day_goes_on',
            }
          : judged
        const vehicles = figure?.vehicles ?? (isKnown && outcome.measured !== null ? 0 : null)
        const record = {
          date: window.day,
          operator,
          shape_uuid: shape?.shapeId ?? null,
          shape_name: shape?.name ?? combinedName,
          status: outcome.status,
          vehicle_count: isKnown && vehicles !== null ? rounded(vehicles) : null,
          drop_offs_count: measure.kind === 'drop_offs' ? outcome.measured : null,
          reason_code: outcome.reason_code,
          measure: name,
          measured: outcome.measured,
          minimum: policy.minimum,
          maximum: policy.maximum,
          unit: policy.unit,
          violations: outcome.violations,
          uncertain: isKnown ? (figure?.uncertain ?? 0) : 0,
          gap_hours: inapplicable?.gaps ?? 0,
          provisional: outcome.provisional,
          policy_uuid: rule.policyId,
          method_version: complianceMethodVersion,
          counts_uncertain: countsUncertain,
        }
        return { ...record, reason: reasonText(record) }
      })
    })
  })
}
