/** Prints a short line about what the script is doing. */
export function printProgress(text) {
  console.log(`publicway: ${text}`)
}

/** Formats the time since `start`, a value of performance.now(), such as `12.3 s`. */
export function secondsSince(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`
}
