import type { CalibrationCell } from '#contract/curb-calibration.ts'

/** Counted and paid space-seconds of a zone on a day. */
export interface RatioSample {
  counted: number
  paid: number
}

/** Draws for one cell, which limits its time: with many samples, fewer resamples are drawn. */
const maxDraws = 10_000_000
const minResamples = 100
const maxResamples = 1000

/** Creates a reproducible generator of random numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Returns the ratio of counted to paid time with its 95% bootstrap interval: the middle 95% of the ratios
 * of up to 1,000 resamples, drawn with replacement. The same samples and seed give the same interval; a
 * single sample gives none.
 */
export function computeBootstrapRatio(
  samples: readonly RatioSample[],
  seed: number,
): Pick<CalibrationCell, 'k' | 'interval' | 'n' | 'counted_hours' | 'paid_hours'> {
  const counted = samples.reduce((sum, sample) => sum + sample.counted, 0)
  const paid = samples.reduce((sum, sample) => sum + sample.paid, 0)
  const sums = { n: samples.length, counted_hours: counted / 3600, paid_hours: paid / 3600 }
  if (paid <= 0) return { k: null, interval: null, ...sums }
  const random = createRandom(seed)
  const resamples = Math.max(minResamples, Math.min(maxResamples, Math.floor(maxDraws / samples.length)))
  const ratios: number[] = []
  for (let resample = 0; resample < resamples && samples.length > 1; resample++) {
    let countedSum = 0
    let paidSum = 0
    for (let draw = 0; draw < samples.length; draw++) {
      const sample = samples[Math.floor(random() * samples.length)]!
      countedSum += sample.counted
      paidSum += sample.paid
    }
    if (paidSum > 0) ratios.push(countedSum / paidSum)
  }
  ratios.sort((a, b) => a - b)
  const computeQuantile = (level: number): number =>
    ratios[Math.min(ratios.length - 1, Math.floor(ratios.length * level))]!
  return {
    k: counted / paid,
    interval: ratios.length ? [computeQuantile(0.025), computeQuantile(0.975)] : null,
    ...sums,
  }
}
