import { markDirty } from '#server/derived/dirty-spans.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** The hourly sums of shapes among the derived products. Its spans are hours; a part is a layer that failed. */
export const shapeSums = 'shape_sums'

/** The span of an hour by its begin, ms: in order of time as text. */
export const hourSpan = (hour: number): string => new Date(hour).toISOString().slice(0, 16)
/** The begin of the hour of a span, ms. */
export const hourOfSpan = (span: string): number => Date.parse(`${span}Z`)

/** Marks hours (begins, ms) of which facts changed, of all layers or of one. */
export const markHoursDirty = (
  state: Pick<State, 'as'>,
  scope: Scope,
  regionId: string,
  hours: readonly number[],
  at: Date,
  layerId = '',
): Promise<void> =>
  markDirty(state, scope, { product: shapeSums, regionId, part: layerId }, hours.map(hourSpan), at)
