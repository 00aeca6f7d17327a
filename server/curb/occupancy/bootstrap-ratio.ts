import type { CalibrationCell } from '#contract/curb-calibration.ts'

/** Counted and paid seconds of spaces, of one zone on one day. */
export interface RatioSample {
  counted: number
  paid: number
}

/** Draws of one cell: of many zones by days, fewer samples are drawn. */
const maxDraws = 10_000_000
const [minResamples, maxResamples] = [100, 1000]

/** Numbers from 0 to 1 that are the same every time (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * The ratio of the sums of counted and paid time, and its 95 % interval: the middle of the ratios of 1,000 samples of the same size that are
 * drawn with replacement. The same samples and seed have the same interval. One sample has none.
 */
export function bootstrapRatio(
  samples: readonly RatioSample[],
  seed: number,
): Pick<CalibrationCell, 'k' | 'interval' | 'n' | 'counted_hours' | 'paid_hours'> {
  const [counted, paid] = [
    samples.reduce((sum, each) => sum + each.counted, 0),
    samples.reduce((sum, each) => sum + each.paid, 0),
  ]
  const sums = { n: samples.length, counted_hours: counted / 3600, paid_hours: paid / 3600 }
  if (paid <= 0) return { k: null, interval: null, ...sums }
  const random = numbersFrom(seed)
  const resamples = Math.max(minResamples, Math.min(maxResamples, Math.floor(maxDraws / samples.length)))
  const ratios: number[] = []
  for (let turn = 0; turn < resamples && samples.length > 1; turn++) {
    let [above, below] = [0, 0]
    for (let draw = 0; draw < samples.length; draw++) {
      const sample = samples[Math.floor(random() * samples.length)]!
      above += sample.counted
      below += sample.paid
    }
    if (below > 0) ratios.push(above / below)
  }
  ratios.sort((one, other) => one - other)
  const at = (part: number): number => ratios[Math.min(ratios.length - 1, Math.floor(ratios.length * part))]!
  return { k: counted / paid, interval: ratios.length ? [at(0.025), at(0.975)] : null, ...sums }
}
