import { markDirty } from '#server/derived/dirty-spans.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** The derived product of hourly sums by shape. Its spans are hours; its parts are layers that failed. */
export const shapeSums = 'shape_sums'

/** Returns the span of an hour that starts at `hour` (ms), such as `2026-01-31T12:00`. Spans sort by time. */
export const toHourSpan = (hour: number): string => new Date(hour).toISOString().slice(0, 16)
/** Parses the start of a span's hour, ms. */
export const parseHourSpan = (span: string): number => Date.parse(`${span}Z`)

/** Marks hours (starts, ms) with changed facts as dirty, for all layers or for one. */
export const markHoursDirty = (
  state: Pick<State, 'as'>,
  scope: Scope,
  {
    regionId,
    hours,
    at,
    layerId = '',
  }: { regionId: string; hours: readonly number[]; at: Date; layerId?: string },
): Promise<void> =>
  markDirty(
    state,
    scope,
    { product: shapeSums, regionId, part: layerId },
    { spans: hours.map(toHourSpan), time: at },
  )
