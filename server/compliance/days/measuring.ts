import type { Region } from '#contract/regions.ts'
import type { StoredIndex } from '#server/geography/face-sql.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { DayRule } from './day-rule.ts'
import type { DayWindow } from './day-windows.ts'
import { dayStep, type Pieces } from './queries/pieces.ts'
import type { Asked } from './rule-conditions.ts'

/** What the days of a rule are measured with. */
export interface Measuring {
  facts: Facts
  scope: Scope
  asked: Asked
  region: Pick<Region, 'timezone' | 'operatingHours'>
  rule: DayRule
  /** One a day, in order. */
  windows: readonly DayWindow[]
  /** Of the rule's areas; none where it is measured whatever the place. */
  indexes: readonly StoredIndex[]
  signal?: AbortSignal
}

/** What was measured on one day of one operator in one ground. */
export interface DayFigure {
  /** Number of the window, from 0 up. */
  day: number
  operator: string
  /** From 1 up; 0: all together. */
  ground: number
  /** In the unit of the rule's measure; of events those that break the rule. */
  measured: number
  /** Vehicles that were measured, or that broke it. */
  vehicles: number | null
  /** Of `measured`, those nearer to the border than their accuracy. */
  uncertain: number
  /** Whether a rest that goes on may still break it. */
  open: boolean
}

export const limits = { limits: { seconds: 120, memory: 6 * 2 ** 30 } }

/** Whether a day has any time of which something can be known by now. */
export const isMeasured = ({ from, until }: DayWindow, now: number): boolean => until > from && from < now

/** The windows as the fact store takes them, up to now. */
export const piecesOf = (windows: readonly DayWindow[], now: number): Pieces => ({
  from: windows.map(({ from }) => from),
  until: windows.map(({ from, until }) => Math.max(from, Math.min(until, now))),
  step: dayStep,
})

/** From the first to the last moment of some windows, ms. */
export const spanOf = (windows: readonly DayWindow[]): { first: number; last: number } => ({
  first: Math.min(...windows.map(({ from }) => from)),
  last: Math.max(...windows.map(({ until }) => until)),
})
