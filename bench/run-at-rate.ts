import { setTimeout as wait } from 'node:timers/promises'

/**
 * Starts calls at a fixed rate, even while earlier ones are open. Returns the latency of each call in ms from
 * its scheduled time, so that a late start counts; at least 0, because timers may fire early.
 */
export async function runAtRate(
  seconds: number,
  perSecond: number,
  startCall: (index: number) => Promise<unknown>,
): Promise<number[]> {
  const pending: Promise<number>[] = []
  const begin = performance.now()
  for (let index = 0; index < seconds * perSecond; index++) {
    const due = begin + (index * 1000) / perSecond
    const ahead = due - performance.now()
    if (ahead > 0) await wait(ahead)
    pending.push(startCall(index).then(() => Math.max(0, performance.now() - due)))
  }
  return Promise.all(pending)
}
