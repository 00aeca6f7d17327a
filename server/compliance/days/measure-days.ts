import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { DayRule } from './day-rule.ts'
import type { DayWindow } from './day-windows.ts'
import { findPresentOperators } from './measures/fleet.ts'
import { findMeasureType } from './measures/list.ts'
import type { MeasureKind, MeasureOf } from './measures/measure-type.ts'
import { type DayFigure, hasBegun, type MeasureInput } from './measure-input.ts'

export interface DayEngine {
  facts: Facts
  membership: LayerMembership
}

export interface MeasureRequest {
  scope: Scope
  region: Region
  rule: DayRule
  /** One per day, contiguous and in order. */
  windows: readonly DayWindow[]
  /** All operators of the rule if empty. */
  operators: readonly string[]
  /** Milliseconds since 1970. */
  now: number
  signal?: AbortSignal
}

/** The figures of one local day. */
export interface MeasuredDay {
  day: LocalDay
  figures: Omit<DayFigure, 'day'>[]
  /** Operators with a vehicle in the right of way; null if not needed, because no minimum is set. */
  present: string[] | null
}

/** Returns areas in index order: if shapes are measured separately, the nth area is that of the nth shape. */
const toIndexedAreas = ({ places, shapes }: DayRule) =>
  places === 'union'
    ? shapes.flatMap(({ areas }) => areas)
    : shapes.map(({ areas: [area] }) => area ?? { type: 'MultiPolygon' as const, coordinates: [] })

/** Prepares the input of measures for the windows of a rule. */
export async function makeMeasureInput(
  { facts, membership }: DayEngine,
  { scope, region, rule, windows, operators, now, signal }: MeasureRequest,
): Promise<MeasureInput> {
  const indexes =
    rule.places === 'whole'
      ? []
      : await membership.forAreas(scope, `areas ${rule.content} ${rule.places}`, toIndexedAreas(rule))
  const { operators: policyOperators } = rule.policy
  const commonOperators = operators.filter((slug) => policyOperators.includes(slug))
  const restrictedOperators = operators.length ? commonOperators : policyOperators
  return {
    facts,
    scope,
    region,
    rule,
    windows,
    indexes,
    filter: {
      regionId: region.regionId,
      policy: rule.policy,
      operators: policyOperators.length ? restrictedOperators : operators,
      lostAfterHours: region.lostAfterHours,
      now,
    },
    ...(signal ? { signal } : {}),
  }
}

/** Measures local days. Windows that have not begun have no figures. */
export async function measureDays(engine: DayEngine, request: MeasureRequest): Promise<MeasuredDay[]> {
  const { rule, windows, now } = request
  const days = windows.map(({ day }): MeasuredDay => ({ day, figures: [], present: null }))
  if (!windows.some((window) => hasBegun(window, now))) return days
  const input = await makeMeasureInput(engine, request)
  const [figures, presentKeys] = await Promise.all([
    findMeasureType(rule.measure).measure(input, rule.measure as MeasureOf<MeasureKind>),
    rule.policy.minimum === null ? null : findPresentOperators(input),
  ])
  for (const { day, ...figure } of figures) days[day]?.figures.push(figure)
  if (presentKeys) {
    for (const day of days) day.present = []
    // Keys are the index of a day and an operator, separated by a space.
    for (const key of presentKeys) {
      const space = key.indexOf(' ')
      days[Number(key.slice(0, space))]?.present?.push(key.slice(space + 1))
    }
  }
  return days
}
