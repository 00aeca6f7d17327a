import type { Region } from '#contract/regions.ts'
import type { StoredIndex } from '#server/geography/membership/face-sql.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { DayRule } from './day-rule.ts'
import type { DayWindow } from './day-windows.ts'
import { dayStep, type TimeSlots } from './queries/time-slots.ts'
import type { FactFilter } from './rule-conditions.ts'

/** The input of a measure: a rule, its windows, and the facts to measure. */
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

/** The figure of one window, operator and shape. */
export interface DayFigure {
  /** Index of the window. */
  day: number
  operator: string
  /** Number of the shape, from 1; 0 for all combined. */
  shape: number
  /** The value in the unit of the rule's measure. For events, the number that violate the rule. */
  measured: number
  /** Number of vehicles that were measured, or that violated the rule. */
  vehicles: number | null
  /** The part of `measured` that is closer to a border than its accuracy. */
  uncertain: number
  /** Whether a parking event that has not ended may still violate the rule. */
  open: boolean
}

/** Limits of queries that measure: seconds, and bytes of memory. */
export const limits = { limits: { seconds: 120, memory: 6 * 2 ** 30 } }

/** Whether a window is not empty and has begun. */
export const isMeasured = ({ from, until }: DayWindow, now: number): boolean => until > from && from < now

/** Returns the windows as time slots of a query, cut off at the present. */
export const toWindowSlots = (windows: readonly DayWindow[], now: number): TimeSlots => ({
  from: windows.map(({ from }) => from),
  until: windows.map(({ from, until }) => Math.max(from, Math.min(until, now))),
  step: dayStep,
})

/** Returns the span from the start of the first window to the end of the last, ms. */
export const getSpanOfWindows = (windows: readonly DayWindow[]): { first: number; last: number } => ({
  first: Math.min(...windows.map(({ from }) => from)),
  last: Math.max(...windows.map(({ until }) => until)),
})
