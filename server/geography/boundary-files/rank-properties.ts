import type { BoundaryFeature } from './boundary-geometry.ts'
import type { BoundaryProperty } from './boundary-content.ts'

interface Ranked extends BoundaryProperty {
  score: number
}

/** Numbers of values of a property. */
interface Tally {
  texts: number
  filled: number
  /** Values with letters. */
  letters: number
  /** Values of more than 100 characters. */
  long: number
  /** Values like ids, addresses, colors or dates. */
  codes: number
  integers: number
  values: Set<string>
}

const namePattern = /^(name|nom|nombre|nome|naam|namn|navn)$/i
const nameLikePattern = /name|label|title|nombre|nhood|neighbo|district|quartier|barrio|zone/i
const codePattern =
  /^(\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\}?|[0-9a-f]{16,}|https?:.*|[[{<].*|#[0-9a-f]{3,8}|\d{4}-\d\d-\d\d.*)$/is

/** Names of properties with a number that identifies an area or road, such as a tract, ward or route. */
const areaNumber =
  /taz|tract|ward|precinct|district|dist$|zone|beat|block|zip|postal|geoid|route|sector|number|nmbr|num$|_no$|nbr/i
/** Names of properties that number the records instead of areas, and of measures. */
const recordNumber =
  /^(fid|gid|oid|id|_id|rowid|index|x|y)$|objectid|guid|shape|area|acre|hectare|leng|perim|sq_?m|square|pop|count|total|dens|lat|lon|lng|year|date|time|percent|pct/i

/** The score of a property of distinct numbers. A suggested name must have a higher one. */
const minSuggestedScore = 3

/** Ranks all properties by suitability as shape name, and suggests the first if it is suitable. */
export function rankProperties(features: readonly BoundaryFeature[]): {
  properties: BoundaryProperty[]
  suggestedName: string | null
} {
  const tallies = new Map<string, Tally>()
  for (const feature of features) {
    for (const [name, value] of Object.entries(feature.properties)) {
      let tally = tallies.get(name)
      if (tally === undefined)
        tallies.set(
          name,
          (tally = { texts: 0, filled: 0, letters: 0, long: 0, codes: 0, integers: 0, values: new Set() }),
        )
      const text = value === null ? '' : String(value).trim()
      if (text === '') continue
      tally.filled += 1
      if (typeof value === 'string') tally.texts += 1
      if (/\p{L}/u.test(text)) tally.letters += 1
      if (text.length > 100) tally.long += 1
      if (codePattern.test(text.slice(0, 200))) tally.codes += 1
      if (typeof value === 'number' && Number.isInteger(value)) tally.integers += 1
      tally.values.add(text)
    }
  }
  const ranked = [...tallies].map(([name, tally]) => rank(name, tally, features.length))
  // The sort is stable: equal scores retain the order of the file.
  ranked.sort((a, b) => b.score - a.score)
  const isGood = ({ score, distinct }: Ranked): boolean =>
    score > minSuggestedScore && (distinct > 1 || features.length === 1)
  // Prefers properties in which most values are distinct: the county of a zone is not its name.
  const best =
    ranked.find((property) => isGood(property) && 2 * property.distinct >= features.length) ??
    ranked.find(isGood)
  return {
    properties: ranked.map(({ name, filled, distinct, samples }) => ({ name, filled, distinct, samples })),
    suggestedName: best?.name ?? null,
  }
}

/**
 * Scores a property as shape name. Texts, letters, few gaps, distinct values and a name such as
 * `district` add to the score; codes and long texts subtract from it.
 */
function rank(name: string, tally: Tally, total: number): Ranked {
  const { filled } = tally
  const share = (count: number): number => (filled === 0 ? 0 : count / filled)
  const identifiesAreas = filled > 0 && tally.integers === filled && !recordNumber.test(name)
  const score =
    (identifiesAreas ? (areaNumber.test(name) ? 1 : 0.5) : 0) +
    2 * share(tally.texts) +
    share(tally.letters) +
    2 * share(tally.values.size) * (filled / total) +
    filled / total +
    (namePattern.test(name) ? 2 : nameLikePattern.test(name) && !identifiesAreas ? 1 : 0) -
    3 * share(tally.codes) -
    3 * share(tally.long)
  return {
    name,
    filled,
    distinct: tally.values.size,
    samples: [...tally.values].slice(0, 3),
    score: filled === 0 ? -10 : score,
  }
}
