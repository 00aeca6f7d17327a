const minuteMs = 60_000

/** Minutes from a try that failed to the next one: they end within a day of the first. */
export const retryMinutes = [1, 5, 30, 120, 360, 720] as const

/** When to try again after so many tries; null: no more. */
export function nextTry(tries: number, at: Date): Date | null {
  const minutes = retryMinutes[tries - 1]
  return minutes === undefined ? null : new Date(at.getTime() + minutes * minuteMs)
}
