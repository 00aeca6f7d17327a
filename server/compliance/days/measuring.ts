import type { Region } from '#contract/regions.ts'
import type { StoredIndex } from '#server/geography/membership/face-sql.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { DayRule } from './day-rule.ts'
import type { DayWindow } from './day-windows.ts'
import { dayStep, type TimeSlots } from './queries/time-slots.ts'
import type { FactFilter } from './rule-conditions.ts'

/** The input of measures: a rule and its windows. */
export interface Measuring {
  facts: Facts
  scope: Scope
  filter: FactFilter
  region: Pick<Region, 'timezone' | 'operatingHours'>
  rule: DayRule
  /** One per day, in order. */
  windows: readonly DayWindow[]
  /** Indexes of the rule's areas; empty if the whole region is measured. */
  indexes: readonly StoredIndex[]
  signal?: AbortSignal
}

/** The figure of one day, operator and shape. */
export interface DayFigure {
  /** Number of the window, starting at 0. */
  day: number
  operator: string
  /** Number of the shape, starting at 1; 0 for all together. */
  shape: number
  /** In the unit of the rule's measure; for events, those that break the rule. */
  measured: number
  /** Vehicles that were measured, or that broke the rule. */
  vehicles: number | null
  /** Of `measured`, those closer to the border than their accuracy. */
  uncertain: number
  /** Whether an open parking event may still break the rule. */
  open: boolean
}

export const limits = { limits: { seconds: 120, memory: 6 * 2 ** 30 } }

/** Whether a day's window has begun. */
export const isMeasured = ({ from, until }: DayWindow, now: number): boolean => until > from && from < now

/** The windows as slots of a query, up to now. */
export const slotsOf = (windows: readonly DayWindow[], now: number): TimeSlots => ({
  from: windows.map(({ from }) => from),
  until: windows.map(({ from, until }) => Math.max(from, Math.min(until, now))),
  step: dayStep,
})

/** From the start of the first window to the end of the last, ms. */
export const spanOf = (windows: readonly DayWindow[]): { first: number; last: number } => ({
  first: Math.min(...windows.map(({ from }) => from)),
  last: Math.max(...windows.map(({ until }) => until)),
})
