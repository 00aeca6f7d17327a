import type { Region } from '#contract/regions.ts'
import type { StoredIndex } from '#server/geography/membership/face-sql.ts'
import type { Facts, QueryOptions } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { DayRule } from './day-rule.ts'
import type { DayWindow } from './day-windows.ts'
import type { Span } from './queries/fact-rows.ts'
import { dayStep, type TimeSlots } from './queries/time-slots.ts'
import type { FactFilter } from './rule-conditions.ts'

/** The input of a measure: a rule, its windows, and the facts to measure. */
export interface MeasureInput {
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
  /** Index of the window in `MeasureInput.windows`. */
  day: number
  operator: string
  /** Number of the shape among those of the rule, from 1; 0 for all combined, -1 as in `entireFleet`. */
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

/** Creates the options of queries for measures: limits (`memory` in bytes) and an abort signal. */
export const createQueryOptions = (signal?: AbortSignal): QueryOptions => ({
  limits: { seconds: 120, memory: 6 * 2 ** 30 },
  ...(signal ? { signal } : {}),
})

/** Whether a window has begun, so that it can be measured. Empty windows never begin. */
export const hasBegun = ({ from, until }: DayWindow, now: number): boolean => until > from && from < now

/** Converts windows to time slots of a query, cut off at `now` (ms). */
export const toWindowSlots = (windows: readonly DayWindow[], now: number): TimeSlots => ({
  from: windows.map(({ from }) => from),
  until: windows.map(({ from, until }) => Math.max(from, Math.min(until, now))),
  step: dayStep,
})

/** Returns the span from the start of the first window to the end of the last. */
export const getSpan = (windows: readonly DayWindow[]): Span => ({
  from: Math.min(...windows.map(({ from }) => from)),
  until: Math.max(...windows.map(({ until }) => until)),
})
