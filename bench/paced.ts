import { setTimeout as wait } from 'node:timers/promises'

/** Starts calls at fixed times, even while earlier ones are open. Returns the duration of each, ms. */
export async function runPaced(
  seconds: number,
  perSecond: number,
  startCall: (index: number) => Promise<number>,
): Promise<number[]> {
  const pending: Promise<number>[] = []
  const begin = performance.now()
  for (let index = 0; index < seconds * perSecond; index++) {
    await wait(Math.max(0, begin + (index * 1000) / perSecond - performance.now()))
    pending.push(startCall(index))
  }
  return Promise.all(pending)
}

/** Returns the sample below which the given share of samples lies. */
export const percentile = (samples: readonly number[], share: number): number =>
  samples.toSorted((a, b) => a - b)[Math.floor(samples.length * share)] ?? Number.NaN
