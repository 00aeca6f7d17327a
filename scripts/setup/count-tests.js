/** The outcome of a test that runs several times is the one with the greatest weight. */
const WEIGHT = { skipped: 0, passed: 1, failed: 2 }

/**
 * Counts the tests of all parts. A test that runs in two parts counts once: as failed if it failed in one of
 * them, and as skipped only if it ran in neither.
 */
export function countTests(parts) {
  const outcomes = new Map()
  for (const tests of parts) {
    const countByName = new Map()
    for (const { name, outcome } of tests) {
      // Tests of the same name in one part are different tests.
      const occurrence = (countByName.get(name) ?? 0) + 1
      countByName.set(name, occurrence)
      const key = `${name} #${occurrence}`
      const earlier = outcomes.get(key) ?? 'skipped'
      outcomes.set(key, WEIGHT[outcome] > WEIGHT[earlier] ? outcome : earlier)
    }
  }
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const outcome of outcomes.values()) counts[outcome] += 1
  return counts
}

export function countsLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
