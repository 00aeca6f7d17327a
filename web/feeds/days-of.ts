const day = 86_400_000

/** The moments that some days of UTC reach from and to; null while one is missing. */
export function daysOf({
  from,
  to,
}: {
  from: string | null
  to: string | null
}): { from: string; until: string } | null {
  if (from === null || to === null || to < from) return null
  return { from: `${from}T00:00:00Z`, until: new Date(Date.parse(to) + day).toISOString() }
}
