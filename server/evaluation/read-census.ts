/** Names, without case and signs, under which files of boundaries tell the figures of a census. */
const names = {
  pctNonwhite: ['pctnonwhite', 'percentnonwhite'],
  medianIncome: ['medianincome', 'medianhouseholdincome'],
} as const

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** A number, or a number's text with signs of thousands, percent and currency. */
function numberOf(value: unknown): number | null {
  const text =
    typeof value === 'number'
      ? String(value)
      : typeof value === 'string'
        ? value.replaceAll(/[\s,$%]/g, '')
        : ''
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : null
}

/** What a shape's own properties tell of its census: percent, and the region's currency; null where they do not. */
export function readCensus(properties: Readonly<Record<string, unknown>>): {
  pctNonwhite: number | null
  medianIncome: number | null
} {
  const find = (wanted: readonly string[]): number | null => {
    for (const [name, value] of Object.entries(properties))
      if (wanted.includes(plain(name))) return numberOf(value)
    return null
  }
  return { pctNonwhite: find(names.pctNonwhite), medianIncome: find(names.medianIncome) }
}
