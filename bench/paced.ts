import { setTimeout as wait } from 'node:timers/promises'

/** Starts calls at fixed times, whether earlier ones have been answered or not, and returns what each took, ms. */
export async function paced(
  seconds: number,
  perSecond: number,
  one: (at: number) => Promise<number>,
): Promise<number[]> {
  const pending: Promise<number>[] = []
  const begin = performance.now()
  for (let at = 0; at < seconds * perSecond; at++) {
    await wait(Math.max(0, begin + (at * 1000) / perSecond - performance.now()))
    pending.push(one(at))
  }
  return Promise.all(pending)
}

export const percentile = (samples: readonly number[], share: number): number =>
  samples.toSorted((a, b) => a - b)[Math.floor(samples.length * share)] ?? Number.NaN
