/** One short line about what the script is doing. */
export function say(text) {
  console.log(`publicway: ${text}`)
}

/** Seconds since `start` (a performance.now()), as people read them. */
export function secondsSince(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`
}
