/** A number between two values, with how little round it is (0 is the roundest). */
export interface RoundBreak {
  value: number
  roughness: number
}

const units = [1, 0.5, 0.2]
const decades = 9

/** The roundest number above `low` and not above `high`; the high end itself where nothing rounder fits. */
export function roundBreak(low: number, high: number): RoundBreak {
  if (low < 0 && high >= 0) return { value: 0, roughness: 0 }
  const top = Math.ceil(Math.log10(Math.max(Math.abs(low), Math.abs(high))))
  for (let decade = 0; decade < decades; decade++) {
    for (const [at, part] of units.entries()) {
      const unit = part * 10 ** (top - decade)
      // Twelve digits undo the binary residue of products such as 3 x 0.1.
      const value = Number((Math.floor(high / unit + 1e-9) * unit).toPrecision(12))
      if (value > low && value <= high) return { value, roughness: decade + at / units.length }
    }
  }
  return { value: high, roughness: decades }
}
