import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { DayRule } from './day-rule.ts'
import type { DayWindow } from './day-windows.ts'
import { presentOn } from './measures/fleet.ts'
import { measureTypeOf } from './measures/list.ts'
import type { MeasureKind, MeasureOf } from './measures/measure-type.ts'
import { type DayFigure, isMeasured, type Measuring } from './measuring.ts'

/** What measuring needs. */
export interface DayEngine {
  facts: Facts
  membership: LayerMembership
}

/** What was measured on a local day. */
export interface MeasuredDay {
  day: LocalDay
  figures: Omit<DayFigure, 'day'>[]
  /** Operators with a vehicle in the right of way; null if not needed, because no minimum is set. */
  present: string[] | null
}

/** Areas in index order: in `each`, the nth is that of the nth shape. */
const geometriesOf = ({ places, shapes }: DayRule) =>
  places === 'union'
    ? shapes.flatMap(({ areas }) => areas)
    : shapes.map(({ areas: [area] }) => area ?? { type: 'MultiPolygon' as const, coordinates: [] })

/** The input of the measures for a rule's days, with the windows that have begun. */
export async function openMeasuring(
  { facts, membership }: DayEngine,
  scope: Scope,
  region: Region,
  rule: DayRule,
  windows: readonly DayWindow[],
  operators: readonly string[],
  now: number,
  signal?: AbortSignal,
): Promise<Measuring> {
  const indexes =
    rule.places === 'whole'
      ? []
      : await membership.forAreas(scope, `areas ${rule.content} ${rule.places}`, geometriesOf(rule))
  const named = rule.policy.operators.length
    ? operators.length
      ? operators.filter((slug) => rule.policy.operators.includes(slug))
      : rule.policy.operators
    : operators
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
      operators: named,
      lostAfterHours: region.lostAfterHours,
      now,
    },
    ...(signal ? { signal } : {}),
  }
}

/** Measures windows of local days, one per day, contiguous and in order. Windows that have not begun have no figures. */
export async function measureDays(
  engine: DayEngine,
  scope: Scope,
  region: Region,
  rule: DayRule,
  windows: readonly DayWindow[],
  operators: readonly string[],
  now: number,
  signal?: AbortSignal,
): Promise<MeasuredDay[]> {
  const days = windows.map(({ day }): MeasuredDay => ({ day, figures: [], present: null }))
  if (!windows.some((window) => isMeasured(window, now))) return days
  const measuring = await openMeasuring(engine, scope, region, rule, windows, operators, now, signal)
  const [figures, present] = await Promise.all([
    measureTypeOf(rule.measure).measure(measuring, rule.measure as MeasureOf<MeasureKind>),
    rule.policy.minimum === null ? null : presentOn(measuring),
  ])
  for (const { day, ...figure } of figures) days[day]?.figures.push(figure)
  if (present) {
    for (const each of days) each.present = []
    for (const key of present)
      days[Number(key.slice(0, key.indexOf(' ')))]?.present?.push(key.slice(key.indexOf(' ') + 1))
  }
  return days
}
