const WEIGHT = { skipped: 0, passed: 1, failed: 2 }

/** Counts tests over all parts. A test that runs in two parts counts once, as failed if it failed anywhere, and as skipped only if it ran nowhere. */
export function countTests(parts) {
  const outcomes = new Map()
  for (const tests of parts) {
    const seen = new Map()
    for (const { name, outcome } of tests) {
      // Two tests of one name in one part are two tests.
      const nth = (seen.get(name) ?? 0) + 1
      seen.set(name, nth)
      const key = `${name} #${nth}`
      const before = outcomes.get(key) ?? 'skipped'
      outcomes.set(key, WEIGHT[outcome] > WEIGHT[before] ? outcome : before)
    }
  }
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const outcome of outcomes.values()) counts[outcome] += 1
  return counts
}

export function countsLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
