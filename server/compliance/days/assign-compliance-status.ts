import {
  type ComplianceMeasure,
  complianceMethodVersion,
  type ComplianceReason,
  type ComplianceRecord,
  type ComplianceStatus,
  measureNames,
} from '#contract/compliance.ts'
import { roundToNineDecimals } from '../bounds.ts'
import { needsTripsOnly, type DayShape, type DayRule } from './day-rule.ts'
import type { DayWindow } from './day-windows.ts'
import type { FeedCoverage } from './feed-coverage.ts'
import type { MeasuredDay } from './measure-days.ts'
import { entireFleet } from './measures/fleet-in-shape.ts'
import { findMeasureType } from './measures/list.ts'
import type { MeasureKind, MeasureOf } from './measures/measure-type.ts'
import type { DayFigure } from './measure-input.ts'
import { describeReason } from './reason-text.ts'

/** What an evaluation depends on besides the measured days. */
export interface EvaluationContext {
  rule: DayRule
  regionName: string
  coverage: FeedCoverage
  operators: readonly string[]
  /** Whether violations near a border, within the accuracy of positions, count. */
  countsUncertain: boolean
  /** Milliseconds since 1970. */
  now: number
}

/** The result for one day, operator and shape. */
interface Outcome {
  status: ComplianceStatus
  reason_code: ComplianceReason
  measured: number | null
  violations: number
  provisional: boolean
}

/** Returns the public name of a rule's measure. */
export const getMeasureName = ({ measure }: Pick<DayRule, 'measure'>): ComplianceMeasure =>
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

const makeOutcome = (
  code: ComplianceReason,
  measured: number | null,
  violations = 0,
  provisional = false,
): Outcome => ({ status: toStatus(code), reason_code: code, measured, violations, provisional })

/** Compares a measured value with the limits of a rule. */
function evaluateBounds(
  rule: DayRule,
  figure: DayFigure | undefined,
  isPresent: boolean,
  isUnfinished: boolean,
): Outcome {
  const { minimum, maximum } = rule.policy
  const type = findMeasureType(rule.measure)
  // A violation of such a measure cannot be made up for later on the day.
  const cannotRecover = type.cannotRecover?.(rule.measure as MeasureOf<MeasureKind>) ?? false
  if (!figure && !type.isZeroWithoutFigure) return makeOutcome('nothing_to_measure', null)
  const measured = roundToNineDecimals(figure?.measured ?? 0)
  if (minimum === null && maximum === null) return makeOutcome('no_limit', measured)
  if (maximum !== null && measured > maximum && (!isUnfinished || cannotRecover))
    return makeOutcome('over_maximum', measured, 1, isUnfinished)
  if (isUnfinished) return makeOutcome('day_goes_on', measured, 0, true)
  if (minimum !== null && measured < minimum)
    return isPresent ? makeOutcome('under_minimum', measured, 1) : makeOutcome('no_fleet', measured)
  return makeOutcome('within', measured)
}

/** Evaluates a rule by its number of violations. */
function evaluateCount(
  rule: DayRule,
  figure: DayFigure | undefined,
  countsUncertain: boolean,
  isUnfinished: boolean,
): Outcome {
  if (findMeasureType(rule.measure).needsMaximum && rule.policy.maximum === null)
    return makeOutcome('no_limit', null)
  const measured = figure?.measured ?? 0
  const violations = measured - (countsUncertain ? 0 : (figure?.uncertain ?? 0))
  const provisional = isUnfinished || (figure?.open ?? false)
  if (violations > 0) return makeOutcome('found', measured, violations, provisional)
  return isUnfinished
    ? makeOutcome('day_goes_on', measured, 0, true)
    : makeOutcome('none_found', measured, 0, provisional)
}

/** Finds why a day is not applicable regardless of measures (docs/metrics.md); null if it is applicable. */
function findInapplicability(
  { rule, coverage, now }: EvaluationContext,
  window: DayWindow,
  operator: string,
): { code: ComplianceReason; gaps: number } | null {
  if (window.emptyReason) return { code: window.emptyReason, gaps: 0 }
  if (window.from >= now) return { code: 'day_goes_on', gaps: 0 }
  if (!coverage.hasAny(operator, window.day, needsTripsOnly(rule))) return { code: 'no_feed', gaps: 0 }
  const gaps = coverage.countGapHours(operator, window)
  return gaps ? { code: 'data_gap', gaps } : null
}

/** Returns the name of the place of a rule that does not evaluate each shape separately. */
function getCombinedName({ shapes, places }: DayRule, regionName: string): string {
  const [firstShape] = shapes
  if (places !== 'union' || !firstShape?.shapeId) return regionName
  return shapes.length === 1 ? firstShape.name : 'All shapes'
}

/** Evaluates the figure of one operator and shape, whether or not the day is applicable. */
function evaluateFigure(
  { rule, countsUncertain }: EvaluationContext,
  figure: DayFigure | undefined,
  { isPresent, isUnfinished, isShareWithoutFleet }: OperatorDay,
): Outcome {
  if (!measureNames[getMeasureName(rule)].isBounded)
    return evaluateCount(rule, figure, countsUncertain, isUnfinished)
  if (!isShareWithoutFleet) return evaluateBounds(rule, figure, isPresent, isUnfinished)
  return makeOutcome(rule.policy.minimum !== null && !isPresent ? 'no_fleet' : 'nothing_to_measure', null)
}

interface OperatorDay {
  operator: string
  window: DayWindow
  /** Whether the operator has a vehicle in the right of way. */
  isPresent: boolean
  isUnfinished: boolean
  /** Whether the measure is a share of a fleet that the operator does not have. */
  isShareWithoutFleet: boolean
  inapplicable: ReturnType<typeof findInapplicability>
}

/** Returns the record of one operator, day and shape. @param shape Null for all shapes together. */
function toRecord(
  context: EvaluationContext,
  operatorDay: OperatorDay,
  shape: DayShape | null,
  figure: DayFigure | undefined,
): ComplianceRecord {
  const { rule, countsUncertain, regionName } = context
  const { operator, window, inapplicable } = operatorDay
  const { measure, policy } = rule
  const name = getMeasureName(rule)
  const evaluation = evaluateFigure(context, figure, operatorDay)
  const isKnown = !inapplicable || (figure !== undefined && inapplicable.code === 'data_gap')
  const outcome: Outcome = inapplicable
    ? {
        ...makeOutcome(inapplicable.code, isKnown ? evaluation.measured : null),
        violations: isKnown && !measureNames[name].isBounded ? evaluation.violations : 0,
        provisional: inapplicable.code === 'day_goes_on',
      }
    : evaluation
  const vehicles = figure?.vehicles ?? (isKnown && outcome.measured !== null ? 0 : null)
  const record = {
    date: window.day,
    operator,
    shape_uuid: shape?.shapeId ?? null,
    shape_name: shape?.name ?? getCombinedName(rule, regionName),
    status: outcome.status,
    vehicle_count: isKnown && vehicles !== null ? roundToNineDecimals(vehicles) : null,
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
  return { ...record, reason: describeReason(record) }
}

/** Returns the records of measured days, one per operator and shape, in order of day, operator and shape. */
export function assignComplianceStatus(
  context: EvaluationContext,
  windows: readonly DayWindow[],
  days: readonly MeasuredDay[],
): ComplianceRecord[] {
  const { rule, operators, now } = context
  const { measure } = rule
  const shapes: readonly { number: number; shape: DayShape | null }[] =
    rule.places === 'each'
      ? rule.shapes.map((shape, index) => ({ number: index + 1, shape }))
      : [{ number: 0, shape: null }]
  return windows.flatMap((window, index) => {
    const day = days[index]
    const figures = new Map(
      day?.figures.map((figure) => [`${figure.shape} ${figure.operator}`, { ...figure, day: index }]),
    )
    const presentOperators = day?.present ? new Set(day.present) : null
    return operators.flatMap((operator) => {
      const operatorDay: OperatorDay = {
        operator,
        window,
        isPresent: presentOperators?.has(operator) ?? true,
        isUnfinished: window.until > now,
        isShareWithoutFleet:
          measure.kind === 'fleet_in_shape' && measure.share && !figures.has(`${entireFleet} ${operator}`),
        inapplicable: findInapplicability(context, window, operator),
      }
      return shapes.map(({ number, shape }) =>
        toRecord(context, operatorDay, shape, figures.get(`${number} ${operator}`)),
      )
    })
  })
}
