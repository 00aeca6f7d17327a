/** A moment as people write it, in full: `2026-08-08T08:51Z` and `2026-08-08 08:51+02:00` are as good as with seconds. Without a zone nobody knows which moment is meant. */
export function momentOf(text: string): string {
  const parts = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i.exec(text.trim())
  const moment = parts && new Date(`${parts[1]}T${parts[2]}${parts[3] ?? ':00'}${parts[4]!.toUpperCase()}`)
  if (!moment || Number.isNaN(moment.getTime()))
    throw new Error(
      `--snapshot-time ${text} is no moment: write a date, a time and a zone, as in 2026-08-08T08:51Z or 2026-08-08T04:51-04:00.`,
    )
  return moment.toISOString()
}
